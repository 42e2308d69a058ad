import { periodOf } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const yearsFunction = defineFunction({
  name: 'years',
  description: 'A period of years.',
  params: [required('value', 'Long', 'How many.')],
  returns: 'Period',
  call: (_, value) => periodOf('years', value),
});
