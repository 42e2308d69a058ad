import type { TriggeredAlert } from '@millrace/contract';
import { countOf } from '../format/index.ts';
import { aggregationSentence } from './aggregation-sentence.ts';
import {
  amount,
  forEach,
  hasQuery,
  matching,
  minutes,
  number,
  ofMessages,
  type Parameters,
  text,
} from './sentence-parts.ts';

export interface DescribedCondition {
  readonly type: string;
  readonly parameters: Parameters;
}

const STATISTICS: Readonly<Record<string, string>> = {
  MEAN: 'mean',
  MIN: 'minimum',
  MAX: 'maximum',
  SUM: 'sum',
  STDDEV: 'standard deviation',
};
const DIRECTIONS: Readonly<Record<string, string>> = {
  RISES: 'rises',
  FALLS: 'falls',
  CHANGES: 'rises or falls',
};

/** Sentences of the types that come with the server, by the name of the type. */
const SENTENCES: Readonly<Record<string, (parameters: Parameters) => string>> = {
  message_count: (given) =>
    `${text(given.threshold_type) === 'LESS' ? 'Fewer' : 'More'} than ${countOf(number(given.threshold), 'message')}${matching(given)} in ${minutes(given.time)}.`,
  field_value: (given) =>
    `The ${STATISTICS[text(given.type)] ?? 'maximum'} of ${text(given.field)} is ${text(given.threshold_type) === 'LOWER' ? 'lower' : 'higher'} than ${amount(given.threshold)} over ${minutes(given.time)}${ofMessages(given)}.`,
  field_content_value: (given) =>
    `A message arrives in which ${text(given.field)} is ${text(given.value)}${hasQuery(given) ? ` and which matches ${text(given.query)}` : ''}.`,
  silence: (given) => `No message${matching(given)} comes for ${minutes(given.time, 15)}${forEach(given)}.`,
  change: (given) =>
    `${figure(given)}${ofMessages(given)} ${DIRECTIONS[text(given.direction)] ?? 'rises'} by more than ${amount(given.percent ?? 50)} % against ${before(given)}${forEach(given)}.`,
  'aggregation-v1': aggregationSentence,
};

/** What a condition waits for, in words; for types of others, the name of the type. */
export function conditionSentence({ type, parameters }: DescribedCondition, typeName = type): string {
  return SENTENCES[type]?.(parameters) ?? typeName;
}

/** The same for an alert; for types of others, what they found. */
export function alertSentence(
  alert: Pick<TriggeredAlert, 'condition_type' | 'condition_parameters' | 'description'>,
): string {
  return SENTENCES[alert.condition_type]?.(alert.condition_parameters) ?? alert.description;
}

/** What an alert is called: its title, and without one its sentence. */
export function alertTitle(
  alert: Pick<TriggeredAlert, 'title' | 'condition_type' | 'condition_parameters' | 'description'>,
): string {
  return alert.title === '' ? alertSentence(alert).replace(/\.$/, '') : alert.title;
}

function figure(given: Parameters): string {
  const name = text(given.function) === '' ? 'count' : text(given.function);
  return name === 'count' ? 'The number of messages' : `The ${name} of ${text(given.field)}`;
}

function before({ time, compare_with: earlier }: Parameters): string {
  const period = minutes(time);
  if (typeof earlier !== 'number' || earlier === 0) return `the ${period} before`;
  return `the same ${period} ${countOf(earlier, 'minute')} earlier`;
}
