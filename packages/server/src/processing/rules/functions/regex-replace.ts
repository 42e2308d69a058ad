import { defineFunction, optional, required } from '../define.ts';
import { javaRegex, patternProblems } from '../patterns/regex-cache.ts';
import { replaceMatches } from '../patterns/replacement.ts';

export const regexReplaceFunction = defineFunction({
  name: 'regex_replace',
  description: 'Replaces what a regular expression matches.',
  params: [
    required('pattern', 'String', 'The regular expression.'),
    required('value', 'String', 'The text.'),
    required('replacement', 'String', 'What to put there; $1 is the first group.'),
    optional(
      'replace_all',
      'Boolean',
      'Whether to replace all matches or the first one; true if it is left out.',
    ),
  ],
  returns: 'String',
  checkConstants: (constants) => patternProblems(constants, 'pattern'),
  call: (_, pattern, value, replacement, replaceAll = true) =>
    replaceMatches(value, javaRegex(pattern), replacement, replaceAll),
});
