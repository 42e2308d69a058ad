import { parsePeriod } from '../dates/periods.ts';
import { defineFunction, required } from '../define.ts';

export const periodFunction = defineFunction({
  name: 'period',
  description: 'Reads a period in the form of ISO 8601.',
  params: [required('value', 'String', 'The text, such as P1DT12H.')],
  returns: 'Period',
  call: (_, value) => parsePeriod(value),
});
