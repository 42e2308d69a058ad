import { periodOf } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const weeksFunction = defineFunction({
  name: 'weeks',
  description: 'A period of weeks.',
  params: [required('value', 'Long', 'How many.')],
  returns: 'Period',
  call: (_, value) => periodOf('weeks', value),
});
