/**
 * Copies of the definitions of the engine's tables and databases.
 *
 * The engine rewrites the definition of a table when it is altered, and hides it when that write fails (see
 * `hidden-write-failures.ts`): a full disk leaves an empty file, and an engine with an empty definition does not start. So
 * every complete definition is copied before the command that made it is confirmed, and put back before the next start if
 * it is not complete. One without a copy belongs to a table that was never confirmed. It is set aside, and the table is
 * created again.
 *
 * So a copy is older at most by a change that was not confirmed, which whoever wanted it makes again.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '#core/index.ts';
import { type EngineDirectory, writeOwnerOnly } from './configuration.ts';

export interface IncompleteDefinition {
  readonly file: string;
  readonly outcome: 'restored' | 'set aside';
}

export interface Definitions {
  /** Before a start of the engine. */
  restore(): Promise<IncompleteDefinition[]>;
  /** Copies what is new or has changed; reads nothing else. */
  save(): Promise<void>;
}

const EXTENSION = '.sql';

export function createDefinitions({ store, definitions }: EngineDirectory): Definitions {
  /** What was copied already, by the time of its last change. */
  const saved = new Map<string, number>();
  const copyOf = (file: string) =>
    path.join(
      definitions,
      `${createHash('sha256').update(path.relative(store, file)).digest('hex')}${EXTENSION}`,
    );

  async function restoreOne(file: string): Promise<IncompleteDefinition | undefined> {
    if (isComplete(await fs.readFile(file, 'utf8'))) return undefined;
    await fs.mkdir(definitions, { recursive: true });
    const copy = await readIfThere(copyOf(file));
    if (copy !== undefined && isComplete(copy)) {
      writeOwnerOnly(file, copy);
      return { file, outcome: 'restored' };
    }
    await fs.rename(file, path.join(definitions, `${path.basename(file)}.incomplete`));
    return { file, outcome: 'set aside' };
  }

  async function saveOne(file: string): Promise<void> {
    const { mtimeMs } = await fs.stat(file);
    if (saved.get(file) === mtimeMs) return;
    const text = await fs.readFile(file, 'utf8');
    if (!isComplete(text)) return;
    if ((await readIfThere(copyOf(file))) !== text) {
      await fs.mkdir(definitions, { recursive: true });
      writeOwnerOnly(copyOf(file), text);
    }
    saved.set(file, mtimeMs);
  }

  return {
    async restore() {
      const found: IncompleteDefinition[] = [];
      // The definition of a database says where those of its tables are.
      for (const list of [databaseFiles, tableFiles]) {
        for (const file of await list(store)) {
          const incomplete = await restoreOne(file);
          if (incomplete !== undefined) found.push(incomplete);
        }
      }
      return found;
    },
    async save() {
      for (const file of [...(await databaseFiles(store)), ...(await tableFiles(store))]) {
        // A table may be dropped at this moment.
        await ifThere(saveOne(file));
      }
    },
  };
}

/** `metadata/<database>.sql` */
function databaseFiles(store: string): Promise<string[]> {
  return definitionsIn(path.join(store, 'metadata'));
}

/** `store/<first three digits>/<uuid of the database>/<table>.sql` */
async function tableFiles(store: string): Promise<string[]> {
  const files: string[] = [];
  for (const database of await databaseFiles(store)) {
    const uuid = /UUID '([\da-f-]{36})'/.exec((await readIfThere(database)) ?? '')?.[1];
    if (uuid !== undefined)
      files.push(...(await definitionsIn(path.join(store, 'store', uuid.slice(0, 3), uuid))));
  }
  return files;
}

async function definitionsIn(folder: string): Promise<string[]> {
  const names = (await ifThere(fs.readdir(folder))) ?? [];
  return names.filter((name) => name.endsWith(EXTENSION)).map((name) => path.join(folder, name));
}

function isComplete(text: string): boolean {
  return text.startsWith('ATTACH ') && text.includes('\nENGINE = ') && text.endsWith('\n');
}

function readIfThere(file: string): Promise<string | undefined> {
  return ifThere(fs.readFile(file, 'utf8'));
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
