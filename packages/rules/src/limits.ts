/** Limits that keep every rule and pipeline fast to parse and to run. */

/** UTF-16 units. */
export const MAX_SOURCE_LENGTH = 200_000;
/** Expressions inside of expressions; a chain of `and`, `or`, `+` or `-` counts once. */
export const MAX_NESTING = 250;
/** The same, with each `+` and `-` of a chain: the sum before it is inside of it. What the stack has room for at any time. */
export const MAX_DEPTH = 1000;
/** Problems that are reported for one text. */
export const MAX_PROBLEMS = 50;
/** UTF-16 units of a text that rules make: as long as the greatest message that inputs accept. */
export const MAX_TEXT_LENGTH = 8 * 1024 * 1024;
