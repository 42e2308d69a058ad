/** What tables answer from. Plain data, so that every thread can have it; the same code answers everywhere. */
import { answerOf, isEmptyAnswer, type LookupAnswer, type LookupValue, NO_ANSWER } from './answer.ts';
import { type MmdbSource, mmdbAnswer } from './mmdb-source.ts';

export interface MapSource {
  readonly kind: 'map';
  /** Keys are in lower case if case does not matter. */
  readonly entries: ReadonlyMap<string, LookupValue>;
  readonly ignoresCase: boolean;
}

export type LookupSource = MapSource | MmdbSource;

/** A table as workers know it. */
export interface TableData {
  readonly name: string;
  /** Undefined: the adapter has not loaded anything yet. */
  readonly source: LookupSource | undefined;
  /** For keys that it does not have. */
  readonly fallback: LookupAnswer;
}

/** All tables. Those that share an adapter share its source. */
export interface LookupSnapshot {
  readonly tables: readonly TableData[];
}

export function answerFrom(source: LookupSource, key: string): LookupAnswer {
  if (source.kind === 'mmdb') return mmdbAnswer(source, key);
  const value = source.entries.get(source.ignoresCase ? key.toLowerCase() : key);
  return value === undefined ? NO_ANSWER : answerOf(value);
}

export function answerOfTable(
  { source, fallback }: Pick<TableData, 'source' | 'fallback'>,
  key: string,
): LookupAnswer {
  const answer = source === undefined ? NO_ANSWER : answerFrom(source, key);
  return isEmptyAnswer(answer) ? fallback : answer;
}
