import { MatchResult, textOf } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';
import { javaRegex, patternProblems } from '../patterns/regex-cache.ts';

export const regexFunction = defineFunction({
  name: 'regex',
  description:
    'Looks for a regular expression in a text. The result has matches, and the groups by their number from "0", or by their names.',
  params: [
    required('pattern', 'String', 'The regular expression.'),
    required('value', 'String', 'The text.'),
    optional('group_names', 'List', 'Names for the groups, in their order.'),
  ],
  returns: 'RegexMatchResult',
  isUnbounded: true,
  checkConstants: (constants) => patternProblems(constants, 'pattern'),
  call: (_, pattern, value, names) => {
    const { regex, groups } = javaRegex(pattern);
    const found = regex.exec(value);
    const result = new MatchResult(found !== null);
    if (found === null) return result;
    for (let index = 0; index < groups.length; index++) {
      const name = names?.[index];
      result.set(name === undefined ? String(index) : textOf(name), found[groups[index] ?? 0]);
    }
    return result;
  },
});
