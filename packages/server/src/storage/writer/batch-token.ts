import { randomBytes } from 'node:crypto';

/**
 * The token of a batch as the journal stores it: a random key and the version of the index sets. The key becomes a part
 * of ClickHouse's deduplication tokens. ClickHouse compares a token only with inserts into the same partition, so a
 * batch must go to the same indices when it is sent again; the version says which these were.
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

/** Throws if the text is not a batch token. */
export function parseBatchToken(text: string): BatchToken {
  const [, key, version] = TOKEN.exec(text) ?? [];
  if (key === undefined) throw new Error(`${JSON.stringify(text)} is not a batch token`);
  return { key, indexSetVersion: Number(version) };
}
