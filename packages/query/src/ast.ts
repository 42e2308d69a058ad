/**
 * What a query means, whatever it was written like. The parser makes it; SQL, the predicate of the live tail and the
 * explanation in words are made from it. It knows no tables and no fields.
 */

/** Positions in the text of the query, in UTF-16 units; `to` is exclusive. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

export type QueryNode =
  /** `*` and the empty query. */
  | { readonly type: 'all' }
  /** At least two parts. */
  | { readonly type: 'and' | 'or'; readonly parts: readonly QueryNode[] }
  | { readonly type: 'not'; readonly part: QueryNode }
  /** `_exists_:field`, `field:*`. */
  | { readonly type: 'exists'; readonly field: string; readonly at: TextSpan }
  /** Without a field: anywhere in the message. */
  | {
      readonly type: 'match';
      readonly field: string | undefined;
      readonly match: ValueMatch;
      readonly at: TextSpan;
    };

/** All texts are as the user means them: escapes are resolved, the case is as it was written. */
export type ValueMatch =
  /** A word, a number, a date: one term without quotes. */
  | { readonly type: 'term'; readonly text: string }
  /** In quotes. `slop`: how many words may stand between or out of place (`"a b"~5`), 0 without. */
  | { readonly type: 'phrase'; readonly text: string; readonly slop: number }
  /** `*` and `?` that are not escaped; never only one `*`. */
  | { readonly type: 'wildcard'; readonly pattern: readonly WildcardPart[] }
  /** `/…/`: RE2's dialect, case sensitive unless it begins with `(?i)`. `\/` has become `/`. */
  | { readonly type: 'regex'; readonly source: string }
  | { readonly type: 'fuzzy'; readonly text: string; readonly distance: 0 | 1 | 2 }
  /** At least one of both. `[a TO b]`, `{a TO b]`, `>=5`; `*` as an end is left out. */
  | { readonly type: 'range'; readonly lower: RangeEnd | undefined; readonly upper: RangeEnd | undefined };

export type WildcardPart =
  | { readonly type: 'text'; readonly text: string }
  /** `*`: any run of characters, also none. */
  | { readonly type: 'any' }
  /** `?`: one character. */
  | { readonly type: 'one' };

export interface RangeEnd {
  readonly text: string;
  readonly inclusive: boolean;
}

/** What is wrong with a query, or odd about it. */
export interface QueryProblem {
  readonly severity: 'error' | 'warning';
  /** One sentence that names the text it is about. */
  readonly message: string;
  readonly at: TextSpan;
  /** What to do instead: a sentence. */
  readonly suggestion?: string;
  /** The whole query put right, if there is one obvious way. */
  readonly replacement?: string;
}

export interface ParsedQuery {
  readonly text: string;
  /** Undefined when there is an error among the problems. */
  readonly query: QueryNode | undefined;
  readonly problems: readonly QueryProblem[];
}
