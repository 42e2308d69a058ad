import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { headCommit, readProduct } from './version.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const other = 'f'.repeat(40);
let checkout: string;

beforeEach(() => {
  checkout = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-version-'));
});

afterEach(() => fs.rmSync(checkout, { recursive: true }));

function write(file: string, content: string): void {
  const target = path.join(checkout, file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, content);
}

test('this program', () => {
  expect(readProduct()).toEqual({
    name: 'Millrace',
    version: expect.stringMatching(/^\d+\.\d+\.\d+\+(?:[0-9a-f]{7}|source)$/),
    apiVersion: expect.stringMatching(/^6\.1\.0\+millrace\.\d+\.\d+\.\d+$/),
    codename: expect.any(String),
  });
});

test('version and build', () => {
  write('packages/server/package.json', '{"version":"1.2.3"}');
  const directories = { serverPackage: path.join(checkout, 'packages', 'server'), checkout };
  expect(readProduct(directories).version).toBe('1.2.3+source');
  write('.git/HEAD', `${commit}\n`);
  expect(readProduct(directories).version).toBe('1.2.3+0123456');
});

test.each<[name: string, files: Record<string, string>, expected: string | undefined]>([
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` }, commit],
  [
    'a packed branch',
    {
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/packed-refs': `# pack-refs with: peeled fully-peeled sorted\n${other} refs/heads/mainly\n${commit} refs/heads/main\n^${other}\n`,
    },
    commit,
  ],
  [
    'a loose branch before a packed one',
    {
      '.git/HEAD': 'ref: refs/heads/a/b',
      '.git/refs/heads/a/b': commit,
      '.git/packed-refs': `${other} refs/heads/a/b`,
    },
    commit,
  ],
  [
    'a linked work tree',
    {
      '.git': 'gitdir: main/.git/worktrees/x\n',
      'main/.git/worktrees/x/HEAD': 'ref: refs/heads/x\n',
      'main/.git/worktrees/x/commondir': '../..\n',
      'main/.git/refs/heads/x': commit,
    },
    commit,
  ],
  [
    'a linked work tree with packed branches',
    {
      '.git': 'gitdir: main/.git/worktrees/x\n',
      'main/.git/worktrees/x/HEAD': 'ref: refs/heads/x\n',
      'main/.git/worktrees/x/commondir': '../..\n',
      'main/.git/packed-refs': `${commit} refs/heads/x\r\n`,
    },
    commit,
  ],
  ['SHA-256 objects', { '.git/HEAD': commit + 'a'.repeat(24) }, commit + 'a'.repeat(24)],
  ['no repository', {}, undefined],
  ['no commit yet', { '.git/HEAD': 'ref: refs/heads/main\n' }, undefined],
  ['an unknown ref format', { '.git/HEAD': 'ref: refs/heads/.invalid', '.git/packed-refs': '' }, undefined],
  ['a ref that leads elsewhere', { '.git/HEAD': 'ref: refs/../../secret', secret: commit }, undefined],
  ['nonsense', { '.git/HEAD': 'nonsense' }, undefined],
  ['nonsense in the branch', { '.git/HEAD': 'ref: refs/heads/x', '.git/refs/heads/x': 'y' }, undefined],
  ['a link to nowhere', { '.git': 'gitdir: nowhere' }, undefined],
])('%s', (_name, files, expected) => {
  for (const [file, content] of Object.entries(files)) write(file, content);
  expect(headCommit(checkout)).toBe(expected);
});
