import { createComponentRegistry } from '#core/index.ts';
import { aggregation } from './aggregation/condition.ts';
import { change } from './change/condition.ts';
import { fieldContentValue } from './field-content-value/condition.ts';
import { fieldValue } from './field-value/condition.ts';
import { messageCount } from './message-count/condition.ts';
import { silence } from './silence/condition.ts';

/** A new condition is a folder and a line. */
export const CONDITION_TYPES = createComponentRegistry('alert condition', [
  messageCount,
  fieldValue,
  fieldContentValue,
  aggregation,
  silence,
  change,
]);
