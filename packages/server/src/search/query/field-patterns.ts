/** Names of fields with `*` and `?`. Unlike values, names are case sensitive. */
import type { FieldPattern } from '@millrace/query';
import { fieldPath } from '#storage/index.ts';
import { compileRegex } from './regexes.ts';
import { quoteRegex, wholePattern } from './wildcards.ts';

/** False for a pattern that is too large; `valueProblems` reports it. */
export function canFindFields(pattern: FieldPattern): boolean {
  return [wholePattern({ parts: pattern }), fieldPathRegex(pattern)].every(
    (regex) => compileRegex(regex) !== undefined,
  );
}

export function fieldNameTest(pattern: FieldPattern): (name: string) => boolean {
  const regex = compileRegex(wholePattern({ parts: pattern }));
  return (name) => regex?.test(name) ?? false;
}

/** One character of a name, as a path has it. */
const PATH_CHARACTER = '(?:%2E|%25|[^%])';

/** RE2, over the paths in `fields`, in which some characters are escaped. */
export function fieldPathRegex(pattern: FieldPattern): string {
  const pieces = pattern.map((part) => {
    if (part.type === 'any') return `${PATH_CHARACTER}*`;
    return part.type === 'one' ? PATH_CHARACTER : quoteRegex(fieldPath(part.text));
  });
  return `(?s)^${pieces.join('')}$`;
}
