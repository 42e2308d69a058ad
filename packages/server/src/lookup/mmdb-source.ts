/** Databases of addresses in MaxMind's format: GeoLite2, GeoIP2, IPinfo, DB-IP and others. */
import { isIP } from 'node:net';
import { type LookupAnswer, type LookupObject, type LookupValue, NO_ANSWER } from './answer.ts';
import { type MmdbFile, openMmdbFile } from './mmdb-file.ts';

export interface MmdbSource {
  readonly kind: 'mmdb';
  /** The whole file, shared by all threads. */
  readonly bytes: SharedArrayBuffer;
  /** Which part of a record is the single value. */
  readonly single: MmdbSingle;
}

export type MmdbSingle = 'coordinates' | 'country' | 'number' | 'none';

/** Records have these types of their own; here they are JSON. */
type MmdbRecord = Readonly<Record<string, unknown>>;

const opened = new WeakMap<SharedArrayBuffer, MmdbFile>();

/** Throws for a file that is not such a database. */
export function openMmdb(bytes: SharedArrayBuffer): MmdbFile {
  let file = opened.get(bytes);
  if (file === undefined) {
    file = openMmdbFile(Buffer.from(bytes));
    opened.set(bytes, file);
  }
  return file;
}

export function mmdbAnswer({ bytes, single }: MmdbSource, key: string): LookupAnswer {
  const address = key.trim();
  if (isIP(address) === 0) return NO_ANSWER;
  const found = openMmdb(bytes).get(address);
  if (!isRecord(found)) return NO_ANSWER;
  return { single: singleOf(found, single), multi: jsonOf(found) as LookupObject };
}

function singleOf(record: MmdbRecord, single: MmdbSingle): LookupValue {
  switch (single) {
    case 'coordinates': {
      const { latitude, longitude } = partOf(record, 'location');
      return latitude === undefined || longitude === undefined ? null : `${latitude},${longitude}`;
    }
    case 'country':
      return jsonOf(partOf(record, 'country').iso_code ?? partOf(record, 'registered_country').iso_code);
    case 'number':
      return jsonOf(record.autonomous_system_number ?? record.asn);
    case 'none':
      return null;
  }
}

function partOf(record: MmdbRecord, name: string): MmdbRecord {
  const part = record[name];
  return isRecord(part) ? part : {};
}

function isRecord(value: unknown): value is MmdbRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonOf(value: unknown): LookupValue {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(jsonOf);
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonOf(each)]));
  }
  return null;
}
