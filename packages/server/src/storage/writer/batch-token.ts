import { randomBytes } from 'node:crypto';

/**
 * The token under which a batch travels, as the journal keeps it: a random key and the version of the index
 * sets. The key goes to ClickHouse as the deduplication token. ClickHouse looks for it among the inserts of the
 * same partition only, therefore the same batch must go to the same indices when it is sent again; the version
 * tells which these were.
 */
export interface BatchToken {
  readonly key: string;
  readonly indexSetVersion: number;
}

const TOKEN = /^([\w-]{22});(\d+)$/;

export function newBatchToken(indexSetVersion: number): BatchToken {
  return { key: randomBytes(16).toString('base64url'), indexSetVersion };
}

export function batchTokenText({ key, indexSetVersion }: BatchToken): string {
  return `${key};${indexSetVersion}`;
}

/** Throws for a text that is no token of this program. */
export function parseBatchToken(text: string): BatchToken {
  const [, key, version] = TOKEN.exec(text) ?? [];
  if (key === undefined) throw new Error(`${JSON.stringify(text)} is no token of a batch`);
  return { key, indexSetVersion: Number(version) };
}
