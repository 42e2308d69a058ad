/**
 * The meaning of a query, independent of how it was written. The parser produces it; SQL, predicates and explanations are
 * derived from it. It does not depend on tables or known fields.
 */

/** A part of the text of the query, in UTF-16 units; `to` is exclusive. */
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
  /** `_exists_:f_*`, `f_*:value`: at least one field with such a name has a value, or a value that matches. */
  | {
      readonly type: 'some-field';
      readonly pattern: FieldPattern;
      /** Undefined for any value. */
      readonly match: ValueMatch | undefined;
      readonly at: TextSpan;
    }
  /** Without a field: anywhere in the message. */
  | {
      readonly type: 'match';
      readonly field: string | undefined;
      readonly match: ValueMatch;
      readonly at: TextSpan;
    };

/** In all texts, escapes are resolved and the case is unchanged. */
export type ValueMatch =
  /** A term without quotes: a word, a number, a date. */
  | { readonly type: 'term'; readonly text: string }
  /** In quotes. `slop`: how many words may be in between or out of place (`"a b"~5`); 0 by default. */
  | { readonly type: 'phrase'; readonly text: string; readonly slop: number }
  /** With `*` or `?` that are not escaped; never `*` alone, which is `all` or `exists`. */
  | { readonly type: 'wildcard'; readonly pattern: readonly WildcardPart[] }
  /** `/…/`: RE2's dialect, case sensitive unless it begins with `(?i)`. `\/` has become `/`. */
  | { readonly type: 'regex'; readonly source: string }
  | { readonly type: 'fuzzy'; readonly text: string; readonly distance: 0 | 1 | 2 }
  /** `[a TO b]`, `{a TO b]`, `>=5`, with at least one end; an end of `*` is undefined. */
  | { readonly type: 'range'; readonly lower: RangeEnd | undefined; readonly upper: RangeEnd | undefined };

export type WildcardPart =
  | { readonly type: 'text'; readonly text: string }
  /** `*`: any number of characters, including none. */
  | { readonly type: 'any' }
  /** `?`: one character. */
  | { readonly type: 'one' };

/** The name of a field with `*` or `?` that are not escaped. Names are case sensitive. Never a single `*`. */
export type FieldPattern = readonly WildcardPart[];

/** What stands before the colon; undefined for all fields. */
export type FieldTarget = string | FieldPattern | undefined;

export interface RangeEnd {
  readonly text: string;
  readonly inclusive: boolean;
}

export interface QueryProblem {
  readonly severity: 'error' | 'warning';
  /** One sentence that quotes the text it is about. */
  readonly message: string;
  readonly at: TextSpan;
  /** One sentence with what to do instead. */
  readonly suggestion?: string;
  /** The whole corrected query, if there is an obvious correction. */
  readonly replacement?: string;
}

export interface ParsedQuery {
  readonly text: string;
  /** Undefined if the problems include an error. */
  readonly query: QueryNode | undefined;
  readonly problems: readonly QueryProblem[];
}
