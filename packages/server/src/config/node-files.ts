import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { errorCode, errorMessage, Secret, StartupError } from '#core/index.ts';
import type { NodeConfig } from './settings/index.ts';

/*
 * What a node generates at its first start and keeps in data_dir:
 *
 *   node_id          its identity, a UUID
 *   password_secret  protects stored credentials; unless the setting of that name is used
 *   root_password    a hash of the administrator's generated password; unless root_password_sha2 is set
 *
 * Files are written under another name, synced and renamed, so that a crash leaves either the old or the new
 * content, never half a secret. The caller holds the lock on data_dir.
 */

const PASSWORD_SECRET_FILE = 'password_secret';
const ROOT_PASSWORD_FILE = 'root_password';
const OWNER_ONLY = 0o600;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What the administrator's password is checked against. */
export type RootPassword =
  | { readonly kind: 'sha256'; readonly hex: string }
  | { readonly kind: 'argon2id'; readonly hash: string };

/** A password nobody has seen yet. Show it, then `keep()` it; until then the next start generates a new one. */
export interface GeneratedPassword {
  readonly password: Secret;
  keep(): void;
}

export interface NodeFiles {
  readonly nodeId: string;
  readonly passwordSecret: Secret;
  readonly rootPassword: RootPassword;
  /** Only at a start that generated the administrator's password. */
  readonly generatedPassword: GeneratedPassword | undefined;
}

export interface NodeFilesDeps {
  /** Makes the argon2id hash, in PHC form, that is kept instead of the password. */
  hashPassword(password: string): Promise<string>;
}

/** Makes sure that `data_dir` exists and can be written to. Throws a `StartupError` that says what to do. */
export function prepareDataDirectory(directory: string): void {
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') {
      throw directoryError(
        `the data directory ${directory} cannot be created`,
        path.dirname(directory),
        error,
      );
    }
  }
  if (!fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StartupError(
      `the data directory ${directory} is not a directory`,
      'Move that file away, or name another directory with data_dir.',
    );
  }
  // Permission bits are not the whole truth (read-only mounts, quotas, ACLs), so we try to write.
  const probe = path.join(directory, `.write-test-${process.pid}`);
  try {
    fs.writeFileSync(probe, '');
    fs.rmSync(probe);
  } catch (error) {
    throw directoryError(`the data directory ${directory} cannot be written to`, directory, error);
  }
}

function directoryError(what: string, directory: string, cause: unknown): StartupError {
  const [reason, whatToDo] = directoryAdvice(directory, cause);
  return new StartupError(`${what}: ${reason}`, `${whatToDo}, or name another one with data_dir.`, { cause });
}

/** It is there while a backup is restored into a data directory. */
export function restoringFile(dataDir: string): string {
  return path.join(dataDir, 'restoring');
}

/** Throws a `StartupError` where a restore was interrupted. */
export function requireRestored(dataDir: string): void {
  if (!fs.existsSync(restoringFile(dataDir))) return;
  throw new StartupError(
    `a restore into the data directory ${dataDir} was interrupted, so messages may be missing`,
    'Delete the directory and restore the backup again.',
  );
}

/** What is wrong with a directory in which nothing can be created, and what to do about it. */
export function directoryAdvice(directory: string, error: unknown): [reason: string, whatToDo: string] {
  switch (errorCode(error)) {
    case 'ENOENT':
      return [`${directory} does not exist`, `Create ${directory}`];
    case 'ENOTDIR':
      return ['a part of its path is a file', 'Correct its path'];
    case 'EACCES':
    case 'EPERM':
      return [
        `${directory} is not writable for this user`,
        `Make ${directory} writable for the user that runs Millrace`,
      ];
    case 'EROFS':
      return [`${directory} is on a read-only file system`, 'Mount it writable'];
    case 'ENOSPC':
    case 'EDQUOT':
      return ['there is no space left', `Free some space in ${directory}`];
    default:
      return [errorMessage(error), 'Correct that'];
  }
}

/** Reads what earlier starts left in `data_dir`, and generates what is missing. */
export async function openNodeFiles(
  deps: NodeFilesDeps,
  config: Pick<NodeConfig, 'data_dir' | 'node_id_file' | 'password_secret' | 'root_password_sha2'>,
): Promise<NodeFiles> {
  const nodeId = openNodeId(config.node_id_file);
  const passwordSecret = config.password_secret ?? openPasswordSecret(config.data_dir);
  return { nodeId, passwordSecret, ...(await openRootPassword(deps, config)) };
}

function openNodeId(file: string): string {
  const present = readSmallFile(file);
  if (present === undefined) {
    const nodeId = randomUUID();
    writeFileAtomically(file, `${nodeId}\n`, 0o644);
    return nodeId;
  }
  if (UUID.test(present)) return present.toLowerCase();
  throw new StartupError(
    `the file ${file} does not hold the id of a node`,
    'Restore it from a backup. Without one, delete it: the node then joins as a new one.',
  );
}

/** The configured secret, or the one in `data_dir`. Undefined if no node has started there yet. */
export function findPasswordSecret(
  config: Pick<NodeConfig, 'data_dir' | 'password_secret'>,
): Secret | undefined {
  const { password_secret: configured, data_dir: dataDir } = config;
  if (configured !== undefined) return configured;
  const isThere = readSmallFile(path.join(dataDir, PASSWORD_SECRET_FILE)) !== undefined;
  return isThere ? openPasswordSecret(dataDir) : undefined;
}

function openPasswordSecret(dataDir: string): Secret {
  const file = path.join(dataDir, PASSWORD_SECRET_FILE);
  const present = readSmallFile(file);
  if (present === undefined) {
    const secret = randomBytes(48).toString('base64url');
    writeFileAtomically(file, `${secret}\n`, OWNER_ONLY);
    return new Secret(secret);
  }
  if (present.length < 16) {
    throw new StartupError(
      `the file ${file} is damaged`,
      'Restore it from a backup. Without one, delete it: credentials that Millrace stored must then be entered again.',
    );
  }
  restrictToOwner(file);
  return new Secret(present);
}

async function openRootPassword(
  deps: NodeFilesDeps,
  config: Pick<NodeConfig, 'data_dir' | 'root_password_sha2'>,
): Promise<Pick<NodeFiles, 'rootPassword' | 'generatedPassword'>> {
  if (config.root_password_sha2 !== undefined) {
    const hex = config.root_password_sha2.reveal();
    return { rootPassword: { kind: 'sha256', hex }, generatedPassword: undefined };
  }

  const file = path.join(config.data_dir, ROOT_PASSWORD_FILE);
  const present = readSmallFile(file);
  if (present !== undefined) {
    if (!present.startsWith('$argon2id$')) {
      throw new StartupError(
        `the file ${file} is damaged`,
        'Delete it to get a new administrator password at the next start, or set root_password_sha2.',
      );
    }
    restrictToOwner(file);
    return { rootPassword: { kind: 'argon2id', hash: present }, generatedPassword: undefined };
  }

  const password = readablePassword();
  const hash = await deps.hashPassword(password);
  return {
    rootPassword: { kind: 'argon2id', hash },
    generatedPassword: {
      password: new Secret(password),
      keep: () => writeFileAtomically(file, `${hash}\n`, OWNER_ONLY),
    },
  };
}

/** Without letters and digits that look alike. Twenty of them carry 98 bits. */
const READABLE_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

function readablePassword(): string {
  const group = (): string =>
    Array.from({ length: 5 }, () => READABLE_CHARACTERS.charAt(randomInt(READABLE_CHARACTERS.length))).join(
      '',
    );
  return [group(), group(), group(), group()].join('-');
}

function readSmallFile(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartupError(
      `the file ${file} cannot be read: ${errorMessage(error)}`,
      'Make it readable for the user that runs Millrace.',
      { cause: error },
    );
  }
}

/** A copy or a restore may have made it readable for others. Where that cannot be changed, it stays so. */
function restrictToOwner(file: string): void {
  try {
    if ((fs.statSync(file).mode & 0o077) !== 0) fs.chmodSync(file, OWNER_ONLY);
  } catch (error) {
    if (errorCode(error) !== 'EPERM' && errorCode(error) !== 'EROFS') throw error;
  }
}

function writeFileAtomically(file: string, content: string, mode: number): void {
  const temporary = `${file}.tmp`;
  try {
    // An interrupted attempt may have left a file with another mode.
    fs.rmSync(temporary, { force: true });
    const descriptor = fs.openSync(temporary, 'wx', mode);
    try {
      fs.writeFileSync(descriptor, content);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, file);
    syncDirectory(path.dirname(file));
  } catch (error) {
    throw new StartupError(
      `the file ${file} cannot be written: ${errorMessage(error)}`,
      'Make its directory writable for the user that runs Millrace, and make sure that there is free space.',
      { cause: error },
    );
  }
}

/** A rename survives a crash only when its directory is on disk. */
function syncDirectory(directory: string): void {
  const descriptor = fs.openSync(directory, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
