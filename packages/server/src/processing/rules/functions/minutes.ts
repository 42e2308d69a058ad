import { periodOf } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const minutesFunction = defineFunction({
  name: 'minutes',
  description: 'A period of minutes.',
  params: [required('value', 'Long', 'How many.')],
  returns: 'Period',
  call: (_, value) => periodOf('minutes', value),
});
