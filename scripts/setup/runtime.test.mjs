import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ensureRuntime } from './runtime.mjs';

let root;

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-runtime-'));
  fs.writeFileSync(path.join(root, 'package.json'), '{"dependencies":{"node":"1.2.3"}}');
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(root, { recursive: true, force: true });
});

/** Says what a program says whose library is missing, until the library is there. */
const NEEDS_LIBRARY = `#!/bin/sh
test -e "$0.library" && exec echo v1.2.3
echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2
exit 127
`;

function installNode(script) {
  const file = path.join(root, 'node');
  fs.writeFileSync(file, script, { mode: 0o755 });
  return file;
}

function debianThat(allows) {
  return {
    canInstallPackages: () => allows,
    installPackages: async (packages) => {
      fs.writeFileSync(path.join(root, 'node.library'), packages.join(' '));
    },
  };
}

const ensure = (pinnedNode, debian) => ensureRuntime({ root, pinnedNode, debian, say: () => {} });

test('installs the library that Node.js needs where it may', async () => {
  await ensure(installNode(NEEDS_LIBRARY), debianThat(true));
  expect(fs.readFileSync(path.join(root, 'node.library'), 'utf8')).toBe('libatomic1');
});

test('names the library and its packages where it may not install them', async () => {
  const refused = ensure(installNode(NEEDS_LIBRARY), debianThat(false));
  await expect(refused).rejects.toThrow(
    /libatomic\.so\.1.*\n.*apt-get install libatomic1.*dnf install libatomic/,
  );
});

test('installs nothing where Node.js runs', async () => {
  await ensure(installNode('#!/bin/sh\necho v1.2.3\n'), debianThat(true));
  expect(fs.existsSync(path.join(root, 'node.library'))).toBe(false);
});

test('runs the install script that npm has left out, and then looks for the library', async () => {
  const node = path.join(root, 'node');
  const npm = path.join(root, 'npm-cli.js');
  fs.writeFileSync(
    npm,
    `require('node:fs').writeFileSync(${JSON.stringify(node)}, ${JSON.stringify(NEEDS_LIBRARY)}, { mode: 0o755 });`,
  );
  vi.stubEnv('npm_execpath', npm);
  await ensure(node, debianThat(true));
  expect(fs.existsSync(path.join(root, 'node.library'))).toBe(true);
});

test('says what to do where Node.js stays away', async () => {
  const npm = path.join(root, 'npm-cli.js');
  fs.writeFileSync(npm, '');
  vi.stubEnv('npm_execpath', npm);
  const failed = ensure(path.join(root, 'node'), debianThat(true));
  await expect(failed).rejects.toThrow('the pinned Node.js v1.2.3 is missing');
});
