import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret, StartupError } from '#core/index.ts';
import { directoryAdvice, openNodeFiles, prepareDataDirectory } from './node-files.ts';

let directory: string;
let hashed: string[];

const deps = {
  hashPassword: (password: string) => {
    hashed.push(password);
    return Promise.resolve(`$argon2id$test$${hashed.length}`);
  },
};

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-node-files-'));
  hashed = [];
});

afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

function open(config: { password_secret?: Secret; root_password_sha2?: Secret; node_id_file?: string } = {}) {
  return openNodeFiles(deps, {
    data_dir: directory,
    node_id_file: path.join(directory, 'node_id'),
    password_secret: undefined,
    root_password_sha2: undefined,
    ...config,
  });
}

const write = (name: string, content: string) => fs.writeFileSync(path.join(directory, name), content);
const read = (name: string) => fs.readFileSync(path.join(directory, name), 'utf8');
const modeOf = (file: string) => fs.statSync(file).mode & 0o777;

async function startupError(run: () => unknown): Promise<StartupError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof StartupError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('first start', () => {
  test('generates an id, a secret and a password; later starts find them', async () => {
    const first = await open();
    expect(first.nodeId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(first.passwordSecret.reveal().length).toBeGreaterThanOrEqual(64);
    first.generatedPassword?.keep();

    const second = await open();
    expect(second.nodeId).toBe(first.nodeId);
    expect(second.passwordSecret.reveal()).toBe(first.passwordSecret.reveal());
    expect(second.rootPassword).toEqual({ kind: 'argon2id', hash: '$argon2id$test$1' });
    expect(second.generatedPassword).toBeUndefined();
    expect(fs.readdirSync(directory).sort()).toEqual(['node_id', 'password_secret', 'root_password']);
  });

  test('secrets are readable for the owner only, and the password itself is nowhere', async () => {
    const { generatedPassword } = await open();
    generatedPassword?.keep();
    expect(modeOf(path.join(directory, 'password_secret'))).toBe(0o600);
    expect(modeOf(path.join(directory, 'root_password'))).toBe(0o600);
    const password = generatedPassword?.password.reveal() ?? '';
    expect(password).toMatch(/^(?:[a-hj-km-np-z2-9]{5}-){3}[a-hj-km-np-z2-9]{5}$/);
    expect(hashed).toEqual([password]);
    for (const name of fs.readdirSync(directory)) expect(read(name)).not.toContain(password);
  });

  test('a password that was never shown is not kept: the next start generates a new one', async () => {
    const first = await open();
    const second = await open();
    expect(second.generatedPassword?.password.reveal()).toBeDefined();
    expect(second.generatedPassword?.password.reveal()).not.toBe(first.generatedPassword?.password.reveal());
  });

  test('neither secret nor password is generated when there are settings for them', async () => {
    const hex = 'ab'.repeat(32);
    const files = await open({
      password_secret: new Secret('configured secret'),
      root_password_sha2: new Secret(hex),
      node_id_file: path.join(directory, 'my id'),
    });
    expect(files.passwordSecret.reveal()).toBe('configured secret');
    expect(files.rootPassword).toEqual({ kind: 'sha256', hex });
    expect(files.generatedPassword).toBeUndefined();
    expect(hashed).toEqual([]);
    expect(fs.readdirSync(directory)).toEqual(['my id']);
  });

  test('what an interrupted start left does no harm', async () => {
    write('password_secret.tmp', 'half');
    write('node_id.tmp', '');
    const { passwordSecret } = await open();
    expect(passwordSecret.reveal()).not.toContain('half');
    expect(fs.readdirSync(directory).sort()).toEqual(['node_id', 'password_secret']);
    expect(modeOf(path.join(directory, 'password_secret'))).toBe(0o600);
  });

  test('secrets that a restore made readable for others are closed again', async () => {
    (await open()).generatedPassword?.keep();
    for (const name of ['password_secret', 'root_password']) fs.chmodSync(path.join(directory, name), 0o644);
    await open();
    expect(modeOf(path.join(directory, 'password_secret'))).toBe(0o600);
    expect(modeOf(path.join(directory, 'root_password'))).toBe(0o600);
  });
});

describe('damage', () => {
  test.each([
    ['node_id', 'not-a-uuid', 'does not hold the id of a node'],
    ['node_id', '', 'does not hold the id of a node'],
    ['password_secret', '', 'is damaged'],
    ['password_secret', 'hunter2', 'is damaged'],
    ['root_password', 'hunter2', 'is damaged'],
  ])('%s with %j is refused, without showing it', async (name, content, message) => {
    write(name, content);
    const error = await startupError(open);
    expect(error.message).toContain(path.join(directory, name));
    expect(error.message).toContain(message);
    expect(error.whatToDo).toMatch(/Restore|Delete/);
    expect(error.message + error.whatToDo).not.toContain('hunter2');
    expect(read(name)).toBe(content);
  });

  test('an id in upper case with a line end is the same id', async () => {
    write('node_id', '5CA1AB1E-0000-4000-8000-AAAAAAAAAAAA\r\n');
    expect((await open()).nodeId).toBe('5ca1ab1e-0000-4000-8000-aaaaaaaaaaaa');
  });

  test('a file that is a directory, and a file in a directory that is missing', async () => {
    fs.mkdirSync(path.join(directory, 'password_secret'));
    expect((await startupError(open)).message).toContain('cannot be read: EISDIR');
    const elsewhere = path.join(directory, 'missing', 'node_id');
    const error = await startupError(() => open({ node_id_file: elsewhere }));
    expect(error.message).toContain(`the file ${elsewhere} cannot be written: ENOENT`);
  });
});

describe('data directory', () => {
  test('is created for the owner only, and may exist', () => {
    const dataDir = path.join(directory, 'data');
    prepareDataDirectory(dataDir);
    expect(modeOf(dataDir)).toBe(0o700);
    fs.writeFileSync(path.join(dataDir, 'kept'), '');
    prepareDataDirectory(dataDir);
    expect(fs.readdirSync(dataDir)).toEqual(['kept']);
  });

  test('a missing parent, a file in its place or in its path', async () => {
    write('file', '');
    const missing = await startupError(() => prepareDataDirectory(path.join(directory, 'a', 'b')));
    expect(missing.message).toBe(
      `the data directory ${directory}/a/b cannot be created: ${directory}/a does not exist`,
    );
    expect(missing.whatToDo).toBe(`Create ${directory}/a, or name another one with data_dir.`);
    const inPlace = await startupError(() => prepareDataDirectory(path.join(directory, 'file')));
    expect(inPlace.message).toContain('file is not a directory');
    const inPath = await startupError(() => prepareDataDirectory(path.join(directory, 'file', 'data')));
    expect(inPath.message).toContain('a part of its path is a file');
  });

  test('not writable, existing or not', async () => {
    fs.mkdirSync(path.join(directory, 'data'), { mode: 0o555 });
    fs.chmodSync(directory, 0o555);
    // For root everything is writable, so the check runs as nobody.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      const existing = await startupError(() => prepareDataDirectory(path.join(directory, 'data')));
      expect(existing.message).toBe(
        `the data directory ${directory}/data cannot be written to: ${directory}/data is not writable for this user`,
      );
      const fresh = await startupError(() => prepareDataDirectory(path.join(directory, 'new')));
      expect(fresh.message).toBe(
        `the data directory ${directory}/new cannot be created: ${directory} is not writable for this user`,
      );
      expect(fresh.whatToDo).toContain('name another one with data_dir');
    } finally {
      if (isRoot) process.seteuid?.(0);
      fs.chmodSync(directory, 0o755);
    }
  });

  test.each([
    ['EROFS', '/d is on a read-only file system'],
    ['ENOSPC', 'there is no space left'],
    ['EDQUOT', 'there is no space left'],
    ['EPERM', '/d is not writable for this user'],
    ['EIO', 'EIO: broken'],
  ])('%s is explained', (code, reason) => {
    const error = Object.assign(new Error(`${code}: broken`), { code });
    expect(directoryAdvice('/d', error)[0]).toBe(reason);
  });
});
