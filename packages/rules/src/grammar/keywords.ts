/** Keywords are identifiers written in any case; the parser asks here which one an identifier is. */
import * as terms from './parser.terms.ts';

const KEYWORDS: Readonly<Record<string, number>> = {
  rule: terms.rule,
  when: terms.when,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of the language, in a table that nobody awaits
  then: terms.then,
  end: terms.end,
  pipeline: terms.pipeline,
  stage: terms.stage,
  match: terms.match,
  all: terms.all,
  either: terms.either,
  pass: terms.pass,
  let: terms._let,
  and: terms.and,
  or: terms.or,
  not: terms.not,
};
const NO_TERM = -1;

export function keywordOf(value: string, _stack: unknown): number {
  if (value === 'true' || value === 'false') return terms.Boolean;
  const keyword = value.toLowerCase();
  return Object.hasOwn(KEYWORDS, keyword) ? (KEYWORDS[keyword] ?? NO_TERM) : NO_TERM;
}
