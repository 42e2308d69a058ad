/** What one query may be, so that no text costs more than a moment to read or to run. */

/** UTF-16 units. */
export const MAX_QUERY_LENGTH = 10_000;
/** Terms, phrases, ranges and so on in one query. */
export const MAX_CLAUSES = 1000;
/** Brackets in brackets. */
export const MAX_NESTING = 50;
/** Words that may stand between those of a phrase. */
export const MAX_SLOP = 1000;
/** Characters, classes and groups of all regular expressions of a query, each as often as it is repeated. */
export const MAX_REGEX_SIZE = 20_000;
/** More problems of one kind than this are not told. */
export const MAX_PROBLEMS = 20;
