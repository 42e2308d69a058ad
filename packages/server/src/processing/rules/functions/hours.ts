import { periodOf } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const hoursFunction = defineFunction({
  name: 'hours',
  description: 'A period of hours.',
  params: [required('value', 'Long', 'How many.')],
  returns: 'Period',
  call: (_, value) => periodOf('hours', value),
});
