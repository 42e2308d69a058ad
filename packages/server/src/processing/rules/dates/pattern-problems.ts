import { DatePatternError, partsOfPattern } from './joda-pattern.ts';

/** For `checkConstants` of functions with a date pattern. */
export function datePatternProblems(constants: ReadonlyMap<string, unknown>, parameter: string) {
  const pattern = constants.get(parameter);
  if (typeof pattern !== 'string') return [];
  try {
    partsOfPattern(pattern);
    return [];
  } catch (error) {
    if (!(error instanceof DatePatternError)) throw error;
    const message = error.message.charAt(0).toUpperCase() + error.message.slice(1);
    return [{ parameter, message: `${message}.`, hint: "For example: yyyy-MM-dd'T'HH:mm:ss.SSSZ" }];
  }
}
