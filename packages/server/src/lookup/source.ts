/** What tables answer from. Plain data, so that every thread can have it; the same code answers everywhere. */
import { answerOf, isEmptyAnswer, type LookupAnswer, type LookupValue, NO_ANSWER } from './answer.ts';
import type { CachePolicy } from './cache-type.ts';
import { type MmdbSource, mmdbAnswer } from './mmdb-source.ts';

export interface MapSource {
  readonly kind: 'map';
  /** Keys are in lower case if case does not matter. */
  readonly entries: ReadonlyMap<string, LookupValue>;
  readonly ignoresCase: boolean;
}

/** All data in memory. */
export type LoadedSource = MapSource | MmdbSource;

/** Data elsewhere: the main thread asks for a key, and workers keep the answers. */
export interface RemoteSource {
  readonly kind: 'remote';
  /** Whether an answer that has expired is used until there is a new one. */
  readonly usesExpired: boolean;
  /** Whether rules may change it. */
  readonly isWritable: boolean;
}

export type LookupSource = LoadedSource | RemoteSource;

/** A table as workers know it. */
export interface TableData {
  readonly name: string;
  /** Undefined: the adapter has not loaded anything yet. */
  readonly sourceId: string | undefined;
  /** For keys that it does not have. */
  readonly fallback: LookupAnswer;
  readonly cache: CachePolicy;
}

/** All tables, and what they answer from. The data of a source never changes: what was loaded anew is another source. */
export interface LookupSnapshot {
  readonly tables: readonly TableData[];
  /** By id. Those that somebody has already may be left out. */
  readonly sources: ReadonlyMap<string, LookupSource>;
}

export function answerFrom(source: LoadedSource, key: string): LookupAnswer {
  if (source.kind === 'mmdb') return mmdbAnswer(source, key);
  const value = source.entries.get(source.ignoresCase ? key.toLowerCase() : key);
  return value === undefined ? NO_ANSWER : answerOf(value);
}

export function answerOr(fallback: LookupAnswer, answer: LookupAnswer): LookupAnswer {
  return isEmptyAnswer(answer) ? fallback : answer;
}
