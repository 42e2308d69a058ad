import { MatchResult, textOf, type Value } from '@millrace/rules';
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
  checkConstants: (constants) => patternProblems(constants, 'pattern'),
  call: (_, pattern, value, names) => {
    const { regex, groups } = javaRegex(pattern);
    const found = regex.exec(value);
    if (found === null) return new MatchResult(false, [], []);
    const values: Value[] = [];
    for (let index = 0; index < groups.length; index++) values.push(found[groups[index] ?? 0]);
    if (names === undefined) return new MatchResult(true, numbersUpTo(groups.length), values);
    // Of groups with the same name the last one counts.
    const named = new Map(values.map((text, index) => [nameOf(names[index], index), text]));
    return new MatchResult(true, [...named.keys()], [...named.values()]);
  },
});

const numbers: string[][] = [];

/** The names of groups that have none: the same list for the same number of groups. */
function numbersUpTo(count: number): readonly string[] {
  numbers[count] ??= Array.from({ length: count }, (_, index) => String(index));
  return numbers[count];
}

function nameOf(name: Value, index: number): string {
  return name === undefined ? String(index) : textOf(name);
}
