/** Maps the parts of a query to the highlighting tags of CodeMirror. */
import { styleTags, tags } from '@lezer/highlight';

export const queryHighlighting: ReturnType<typeof styleTags> = styleTags({
  'And Or Not': tags.logicOperator,
  'Plus Minus': tags.operator,
  'Field/Term Field/Wildcard': tags.propertyName,
  Colon: tags.punctuation,
  Term: tags.string,
  'SignedTerm Bound RangeTerm': tags.literal,
  Wildcard: tags.special(tags.string),
  Phrase: tags.string,
  Regex: tags.regexp,
  CompareOperator: tags.compareOperator,
  To: tags.operatorKeyword,
  'RangeOpen RangeClose': tags.squareBracket,
  'ParenthesisOpen ParenthesisClose': tags.paren,
  'Fuzzy Boost': tags.modifier,
  'UnclosedPhrase UnclosedRegex StrayParenthesis StrayBracket StrayBackslash': tags.invalid,
});
