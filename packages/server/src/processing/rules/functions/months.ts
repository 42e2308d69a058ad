import { periodOf } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const monthsFunction = defineFunction({
  name: 'months',
  description: 'A period of months.',
  params: [required('value', 'Long', 'How many.')],
  returns: 'Period',
  call: (_, value) => periodOf('months', value),
});
