import type { QueryNode, RangeEnd, ValueMatch, WildcardPart } from '@millrace/query';
import { RULE, type Rule } from './rule-kinds.ts';

export type MatchNode = Extract<QueryNode, { readonly type: 'match' }>;

export type LeafResult =
  | { readonly rules: readonly Rule[]; readonly nearly?: string }
  | { readonly unfit: string };

/** These are matched by words; all other fields as a whole. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['message', 'full_message', 'source']);
const INPUT_FIELD = 'gl2_source_input';
const WITHOUT_RULES = new Map([
  ['streams', 'A rule decides about streams, so it cannot ask for them.'],
  ['timestamp', 'A stream takes messages of any time.'],
  ['gl2_receive_timestamp', 'A stream takes messages of any time.'],
  ['gl2_message_id', 'A rule cannot ask for a single message.'],
]);
const IN_MESSAGE_ONLY = 'A rule looks at one field, so this is looked for in the message only.';
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** One condition on one field, as a rule or two. */
export function fieldRule({ field, match }: MatchNode, isNegated: boolean): LeafResult {
  if (field === undefined) {
    if (match.type === 'range') return { unfit: 'A range needs a field.' };
    const found = fieldRule({ type: 'match', field: 'message', match, at: { from: 0, to: 0 } }, isNegated);
    return 'unfit' in found ? found : { ...found, nearly: IN_MESSAGE_ONLY };
  }
  const without = WITHOUT_RULES.get(field);
  if (without !== undefined) return { unfit: without };
  const rule = (type: number, value: string): LeafResult => ({
    rules: [{ type, field, value, inverted: isNegated }],
  });
  switch (match.type) {
    case 'fuzzy':
      return { unfit: 'Rules do not know similar words.' };
    case 'range':
      return rangeRules(field, match, isNegated);
    case 'regex':
      return isPortable(match.source)
        ? rule(RULE.regex, match.source)
        : { unfit: 'Its syntax is not that of rules.' };
    case 'phrase':
      if (match.slop > 0) return { unfit: 'Rules do not know words with others in between.' };
      break;
  }
  if (field === INPUT_FIELD && match.type !== 'wildcard') return rule(RULE.input, match.text);
  // Without letters there is no case to ignore.
  if (!TEXT_FIELDS.has(field) && match.type !== 'wildcard' && !/\p{L}/u.test(match.text)) {
    return rule(RULE.exact, match.text.trim());
  }
  const pattern = patternOf(field, match);
  return pattern === undefined ? { unfit: 'There is no word in it.' } : rule(RULE.regex, `(?i)${pattern}`);
}

/** `source:(web-1 OR web-2)` as one regular expression. */
export function mergedRule(matches: readonly MatchNode[]): LeafResult {
  const field = matches[0]?.field ?? '';
  const without = WITHOUT_RULES.get(field);
  if (without !== undefined) return { unfit: without };
  const bodies = matches.map(({ match }) => bodyOf(field, match));
  if (bodies.includes(undefined)) return { unfit: 'There is no word in it.' };
  const value = `(?i)${framed(field, `(?:${bodies.join('|')})`)}`;
  return { rules: [{ type: RULE.regex, field, value, inverted: false }] };
}

function patternOf(field: string, match: ValueMatch): string | undefined {
  const body = bodyOf(field, match);
  if (body === undefined) return undefined;
  // What is open at an end needs no anchor there.
  const framedBody = framed(field, body);
  return TEXT_FIELDS.has(field)
    ? framedBody
    : framedBody.replace(/^\^\.\*(?=.)/, '').replace(/(?<=[^\\])\.\*\$$/, '');
}

/** A letter or digit. Search counts every other character beyond ASCII as one, too; log lines hardly differ in that. */
const WORD = '[\\p{L}\\p{N}]';
const NO_WORD = '[^\\p{L}\\p{N}]';
/** Limited, so that the expression stays quick on long texts. */
const BETWEEN_WORDS = `${NO_WORD}{1,9}`;

/** What is open at an end needs nothing there. In texts a run ends with white space, which is no word. */
function framed(field: string, body: string): string {
  if (TEXT_FIELDS.has(field)) {
    const start = body.startsWith('\\S*') ? body.slice(3) : `(?<!${WORD})${body}`;
    return start.endsWith('\\S*') ? start.slice(0, -3) : `${start}(?!${WORD})`;
  }
  return `^${body}$`;
}

function bodyOf(field: string, match: ValueMatch): string | undefined {
  if (match.type === 'wildcard') return match.pattern.map((part) => wildcardPart(field, part)).join('');
  if (match.type !== 'term' && match.type !== 'phrase') return undefined;
  if (!TEXT_FIELDS.has(field)) return escaped(match.text);
  const words = match.text.match(/[\p{L}\p{N}]+/gu);
  return words?.map(escaped).join(BETWEEN_WORDS);
}

function wildcardPart(field: string, part: WildcardPart): string {
  if (part.type === 'text') return escaped(part.text);
  const character = TEXT_FIELDS.has(field) ? '\\S' : '.';
  return part.type === 'any' ? `${character}*` : character;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Search has the expressions of RE2, rules those of JavaScript. */
function isPortable(source: string): boolean {
  return !/\[\[:|\\[AzQECpP](?!\{)|\(\?P|\(\?[a-z-]+:|(?!^)\(\?[a-zU-]+\)/.test(source);
}

type Range = Extract<ValueMatch, { type: 'range' }>;

/** Levels are whole numbers that every message has: `<=3` is "smaller than 4". */
const LEVEL = 'level';

function rangeRules(field: string, { lower, upper }: Range, isNegated: boolean): LeafResult {
  const ends = [lower, upper].filter((end) => end !== undefined);
  if (!ends.every(({ text }) => NUMBER.test(text.trim()))) {
    return { unfit: 'Rules compare numbers, not texts.' };
  }
  if (isNegated && (ends.length > 1 || field !== LEVEL)) {
    return { unfit: 'A negated range also finds messages without the field, which a rule never does.' };
  }
  const rules = [
    ...(lower === undefined ? [] : [limitRule(field, lower, 'lower')]),
    ...(upper === undefined ? [] : [limitRule(field, upper, 'upper')]),
  ];
  return { rules: rules.map((rule) => ({ ...rule, inverted: rule.inverted !== isNegated })) };
}

function limitRule(field: string, { text, inclusive }: RangeEnd, side: 'lower' | 'upper'): Rule {
  const [strict, opposite] = side === 'lower' ? [RULE.greater, RULE.smaller] : [RULE.smaller, RULE.greater];
  const number = Number(text);
  if (!inclusive) return { type: strict, field, value: text.trim(), inverted: false };
  if (field === LEVEL && Number.isInteger(number)) {
    return {
      type: strict,
      field,
      value: String(side === 'lower' ? number - 1 : number + 1),
      inverted: false,
    };
  }
  return { type: opposite, field, value: text.trim(), inverted: true };
}
