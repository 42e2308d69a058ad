import { periodOf } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const secondsFunction = defineFunction({
  name: 'seconds',
  description: 'A period of seconds.',
  params: [required('value', 'Long', 'How many.')],
  returns: 'Period',
  call: (_, value) => periodOf('seconds', value),
});
