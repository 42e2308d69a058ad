import { DateTime } from '@millrace/rules';
import { defineFunction, required } from '../define.ts';

export const parseUnixMillisecondsFunction = defineFunction({
  name: 'parse_unix_milliseconds',
  description: 'A date from milliseconds since 1970.',
  params: [required('value', 'Long', 'The milliseconds.')],
  returns: 'DateTime',
  call: (_, value) => new DateTime(Number(value)),
});
