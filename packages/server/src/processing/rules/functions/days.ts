import { periodOf } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const daysFunction = defineFunction({
  name: 'days',
  description: 'A period of days.',
  params: [required('value', 'Long', 'How many.')],
  returns: 'Period',
  call: (_, value) => periodOf('days', value),
});
