import { countOf } from '../format/index.ts';
import { amount, forEach, matching, number, ofMessages, type Parameters, text } from './sentence-parts.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
const DEFAULT_WITHIN_MS = 300_000;

const COMPARISONS: Readonly<Record<string, string>> = {
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
  '==': 'is',
  '!=': 'is not',
};
const JOINED: Readonly<Record<string, string>> = { '&&': 'and', '||': 'or' };

/** Event definitions: figures, a condition on them, and groups. */
export function aggregationSentence(given: Parameters): string {
  const series = objects(given.series);
  const { expression } = object(given.conditions);
  const hasGroups = Array.isArray(given.group_by) && given.group_by.length > 0;
  if (series.length === 0 && !hasGroups) return `Every message${matching(given)}.`;
  const figures = new Map(series.map((each) => [idOf(each), figureOf(each)]));
  const within = `${period(number(given.search_within_ms, DEFAULT_WITHIN_MS))}${forEach(given)}`;
  if (expression === undefined || expression === null) {
    return `A message${matching(given)} arrives within ${within}.`;
  }
  const whole = `${inWords(object(expression), figures)}${ofMessages(given)} in ${within}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** A tree of comparisons, as it is stored. */
function inWords(node: Parameters, figures: ReadonlyMap<string, string>): string {
  const kind = text(node.expr);
  const side = (name: string) => inWords(object(node[name]), figures);
  const joinedSide = (name: string) => inBrackets(object(node[name]), kind, figures);
  // Graylog's versions disagree about the name.
  const inner = object(node.child ?? node.left);
  const comparison = COMPARISONS[kind];
  if (comparison !== undefined) return `${side('left')} ${comparison} ${side('right')}`;
  const joined = JOINED[kind];
  if (joined !== undefined) return `${joinedSide('left')} ${joined} ${joinedSide('right')}`;
  if (kind === '!') return `not ${inBrackets(inner, kind, figures)}`;
  if (kind === 'group') return `(${inWords(inner, figures)})`;
  if (kind === 'number-ref') return figures.get(text(node.ref)) ?? text(node.ref);
  if (kind === 'number') return amount(Number(node.value));
  return kind;
}

/** An "and" or "or" inside of anything but its own kind: in the tree its place says what belongs together. */
function inBrackets(node: Parameters, outer: string, figures: ReadonlyMap<string, string>): string {
  const kind = text(node.expr);
  const words = inWords(node, figures);
  return Object.hasOwn(JOINED, kind) && kind !== outer ? `(${words})` : words;
}

function functionOf(series: Parameters): string {
  return (text(series.type) || text(series.function) || 'count').toLowerCase();
}

function idOf(series: Parameters): string {
  return text(series.id) || `${functionOf(series)}(${text(series.field)})`;
}

function figureOf(series: Parameters): string {
  const name = functionOf(series);
  const field = text(series.field);
  if (name === 'count' && field === '') return 'the number of messages';
  if (name === 'percentile') return `percentile ${amount(series.percentile)} of ${field}`;
  return `${name}(${field})`;
}

function period(ms: number): string {
  return ms % MINUTE_MS === 0 ? countOf(ms / MINUTE_MS, 'minute') : countOf(ms / SECOND_MS, 'second');
}

function object(value: unknown): Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function objects(value: unknown): Parameters[] {
  return Array.isArray(value) ? value.map(object) : [];
}
