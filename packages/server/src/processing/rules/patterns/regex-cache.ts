import { BoundedMap } from '#core/index.ts';
import { MAX_REMEMBERED_LENGTH } from '../message-limits.ts';
import { compileJavaRegex, type JavaRegex, PatternError } from './java-regex.ts';

/** Patterns are nearly always constant; one that is made of a message's text is compiled for each text. */
const MAX_ENTRIES = 1000;
const compiled = new BoundedMap<string, JavaRegex>({ maxEntries: MAX_ENTRIES });

/** Throws `PatternError`. */
export function javaRegex(pattern: string): JavaRegex {
  let regex = compiled.get(pattern);
  if (regex === undefined) {
    regex = compileJavaRegex(pattern);
    if (pattern.length <= MAX_REMEMBERED_LENGTH) compiled.set(pattern, regex);
  }
  return regex;
}

/** For `checkConstants` of functions with a regular expression. */
export function patternProblems(constants: ReadonlyMap<string, unknown>, parameter: string) {
  const pattern = constants.get(parameter);
  if (typeof pattern !== 'string') return [];
  try {
    javaRegex(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return [
      {
        parameter,
        message: `The regular expression is not valid: ${error.message}.`,
        hint: `Look at character ${error.position} of the expression.`,
      },
    ];
  }
}
