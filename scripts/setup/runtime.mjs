import fs from 'node:fs';
import path from 'node:path';
import * as debianPackages from './debian.mjs';
import { runCommand, runNpm } from './run-command.mjs';

/** What Node.js is linked with and small installations of Linux do not have. */
const LIBRARY = { file: 'libatomic.so.1', package: 'libatomic1' };

/** Makes sure that the pinned Node.js is installed and runs. */
export async function ensureRuntime({ root, pinnedNode, say, debian = debianPackages }) {
  const expected = pinnedVersion(root);
  const found = () => versionOf(pinnedNode, () => installLibrary(say, debian));
  if ((await found()) === expected) return;

  // Somebody's npm settings forbid install scripts; this one is ours and approved in package.json.
  await runNpm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts'], { cwd: root });
  const version = await found();
  if (version === expected) return;
  throw new Error(
    `the pinned Node.js ${expected} is ${version} at ${pinnedNode}.\n` +
      'Remove node_modules and run the command again; npm must be allowed to run the install script of "node".',
  );
}

function pinnedVersion(root) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return `v${manifest.dependencies.node}`;
}

async function versionOf(pinnedNode, provideLibrary) {
  const ask = async () => (await runCommand(pinnedNode, ['--version'])).trim();
  try {
    return await ask();
  } catch (error) {
    if (!error.message.includes(LIBRARY.file)) return 'missing';
  }
  await provideLibrary();
  return ask();
}

async function installLibrary(say, debian) {
  if (!debian.canInstallPackages()) {
    throw new Error(
      `Node.js needs ${LIBRARY.file}, which this machine does not have.\n` +
        `Install it and run the command again: apt-get install ${LIBRARY.package} (Debian, Ubuntu), ` +
        'dnf install libatomic (Fedora, Red Hat) or zypper install libatomic1 (SUSE).',
    );
  }
  say(`installing ${LIBRARY.package} from Debian, which Node.js needs …`);
  await debian.installPackages([LIBRARY.package]);
}
