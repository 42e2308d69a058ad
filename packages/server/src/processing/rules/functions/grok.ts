import { MatchResult } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';
import { grokOf, grokProblems } from '../patterns/grok-of.ts';

export const grokFunction = defineFunction({
  name: 'grok',
  description:
    'Looks for a grok pattern in a text. The result is a map of its fields; matches says whether it was found.',
  params: [
    required('pattern', 'String', 'The pattern, such as %{IP:client} %{WORD:method}.'),
    required('value', 'String', 'The text.'),
    optional(
      'only_named_captures',
      'Boolean',
      'Whether to leave out patterns without a field name; false if it is left out.',
    ),
  ],
  returns: 'GrokMatch',
  checkConstants: (constants, known) => grokProblems(constants, 'pattern', known),
  call: (context, pattern, value, onlyNamed = false) =>
    grokOf(context, pattern).match(value, onlyNamed) ?? new MatchResult(false, [], []),
});
