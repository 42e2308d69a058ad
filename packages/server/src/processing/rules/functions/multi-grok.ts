import { isList, MatchResult, textOf } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';
import { grokListProblems, grokOf } from '../patterns/grok-of.ts';

export const multiGrokFunction = defineFunction({
  name: 'multi_grok',
  description:
    'Looks for grok patterns in a text, one after the other. The result is that of the first one that was found, as grok() gives it.',
  params: [
    required('patterns', 'Object', 'A list of patterns.'),
    required('value', 'String', 'The text.'),
    optional(
      'only_named_captures',
      'Boolean',
      'Whether to leave out patterns without a field name; false if it is left out.',
    ),
  ],
  returns: 'GrokMatch',
  checkConstants: (constants, known) => grokListProblems(constants, 'patterns', known),
  call: (context, patterns, value, onlyNamed = false) => {
    if (!isList(patterns) || patterns.length === 0) return undefined;
    for (const pattern of patterns) {
      const match = grokOf(context, textOf(pattern)).match(value, onlyNamed);
      if (match !== undefined) return match;
    }
    return new MatchResult(false, [], []);
  },
});
