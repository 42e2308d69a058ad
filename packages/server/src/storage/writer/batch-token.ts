import { createHash, randomBytes } from 'node:crypto';
import type { ClickHouseServer } from '../clickhouse/index.ts';

/**
 * The token of a batch as the journal stores it: a random key, the version of the index sets, and, if there are several
 * servers, which these were. The key becomes a part of ClickHouse's deduplication tokens, and decides which server gets
 * the batch: only that one recognises its tokens. ClickHouse compares a token only with inserts into the same
 * partition, so a batch must go to the same indices when it is sent again; the version says which these were.
 */
export interface BatchToken {
  readonly key: string;
  readonly indexSetVersion: number;
  /** A fingerprint of the servers when the batch was begun; undefined for one server. */
  readonly servers?: string;
}

const KEY_BYTES = 16;
const TOKEN = /^([\w-]{22});(\d+)(?:;([0-9a-f]{8}))?$/;

export interface BatchPlace {
  /** The position of the server. */
  readonly shard: number;
  readonly servers: readonly ClickHouseServer[];
}

/** @param place where the batch is to go; without it, to any server */
export function newBatchToken(indexSetVersion: number, place?: BatchPlace): BatchToken {
  const bytes = randomBytes(KEY_BYTES);
  if (place === undefined || place.servers.length < 2) {
    return { key: bytes.toString('base64url'), indexSetVersion };
  }
  const { shard, servers } = place;
  // Rounded down to a multiple of the number of servers, so that it stays below 2^32.
  const random = bytes.readUInt32LE(0) & ~0xff;
  const base = (random >>> 0) - ((random >>> 0) % servers.length);
  bytes.writeUInt32LE(base + shard, 0);
  return { key: bytes.toString('base64url'), indexSetVersion, servers: fingerprintOf(servers) };
}

export function batchTokenText({ key, indexSetVersion, servers }: BatchToken): string {
  return servers === undefined ? `${key};${indexSetVersion}` : `${key};${indexSetVersion};${servers}`;
}

/** Throws if the text is not a batch token. */
export function parseBatchToken(text: string): BatchToken {
  const [, key, version, servers] = TOKEN.exec(text) ?? [];
  if (key === undefined) throw new Error(`${JSON.stringify(text)} is not a batch token`);
  return { key, indexSetVersion: Number(version), ...(servers !== undefined && { servers }) };
}

/** The position of the server that a batch with this key goes to. */
export function shardOfKey(key: string, servers: number): number {
  return Buffer.from(key.slice(0, 8), 'base64url').readUInt32LE(0) % servers;
}

/** Whether the batch was begun with these servers, so that its rows can be on no other than the one of its key. */
export function isBegunWith(token: BatchToken, servers: readonly ClickHouseServer[]): boolean {
  return token.servers === (servers.length < 2 ? undefined : fingerprintOf(servers));
}

function fingerprintOf(servers: readonly ClickHouseServer[]): string {
  const urls = servers.map(({ url }) => url).join(' ');
  return createHash('sha256').update(urls).digest('hex').slice(0, 8);
}
