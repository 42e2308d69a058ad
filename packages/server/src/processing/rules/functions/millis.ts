import { periodOf } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const millisFunction = defineFunction({
  name: 'millis',
  description: 'A period of milliseconds.',
  params: [required('value', 'Long', 'How many.')],
  returns: 'Period',
  call: (_, value) => periodOf('milliseconds', value),
});
