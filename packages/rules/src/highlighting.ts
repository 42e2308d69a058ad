/** Maps the parts of a rule to the highlighting tags of CodeMirror. */
import { styleTags, tags } from '@lezer/highlight';

export const ruleHighlighting: ReturnType<typeof styleTags> = styleTags({
  'Keyword All Either Pass': tags.keyword,
  LogicKeyword: tags.logicOperator,
  'Name/String': tags.heading,
  String: tags.string,
  Char: tags.character,
  'Integer Float': tags.number,
  Boolean: tags.bool,
  'FunctionName/Identifier': tags.function(tags.variableName),
  'Variable/Identifier Let/Identifier': tags.variableName,
  'FieldName/...': tags.propertyName,
  'Key/Identifier': tags.labelName,
  MessageReference: tags.special(tags.variableName),
  'LineComment BlockComment': tags.comment,
  'CompareOperator EqualOperator': tags.compareOperator,
  'Plus Minus Times Divide Modulo': tags.arithmeticOperator,
  'UnclosedString UnclosedChar UnclosedComment': tags.invalid,
});
