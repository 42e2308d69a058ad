/** Limits that keep every query fast to parse and to run. */

/** UTF-16 units. */
export const MAX_QUERY_LENGTH = 10_000;
/** Terms, phrases, ranges and so on in one query. */
export const MAX_CLAUSES = 1000;
/** Nested brackets. */
export const MAX_NESTING = 50;
/** Words that may be between those of a phrase. */
export const MAX_SLOP = 1000;
/** Characters, classes and groups in all regular expressions of a query, multiplied by their repetitions. */
export const MAX_REGEX_SIZE = 20_000;
/** Of each severity. */
export const MAX_PROBLEMS = 20;
