import { defineFunction, optional, required } from '../define.ts';
import { everyMatchOf } from '../patterns/java-regex.ts';
import { javaRegex, patternProblems } from '../patterns/regex-cache.ts';

export const splitFunction = defineFunction({
  name: 'split',
  description:
    'Splits a text where a regular expression matches. Empty texts at the end are left out unless there is a limit.',
  params: [
    required('pattern', 'String', 'The regular expression.'),
    required('value', 'String', 'The text.'),
    optional('limit', 'Long', 'The greatest number of parts.'),
  ],
  returns: 'List',
  checkConstants: (constants) => patternProblems(constants, 'pattern'),
  call: (_, pattern, value, limit = 0) => {
    const regex = everyMatchOf(javaRegex(pattern));
    const parts: string[] = [];
    let from = 0;
    for (const { 0: found, index } of value.matchAll(regex)) {
      if (limit > 0 && parts.length + 1 >= limit) break;
      if (found === '' && (index === 0 || index === value.length)) continue;
      parts.push(value.slice(from, index));
      from = index + found.length;
    }
    parts.push(value.slice(from));
    if (Number(limit) === 0) while (parts.length > 1 && parts.at(-1) === '') parts.pop();
    return parts;
  },
});
