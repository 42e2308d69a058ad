import { DateTime } from '@millrace/rules';
import { wantedZone } from '../dates/joda-pattern.ts';
import { defineFunction, optional, required } from '../define.ts';

export const parseUnixMillisecondsFunction = defineFunction({
  name: 'parse_unix_milliseconds',
  description: 'A date from milliseconds since 1970.',
  params: [
    required('value', 'Long', 'The milliseconds.'),
    optional('timezone', 'String', 'The time zone; UTC if it is left out.'),
  ],
  returns: 'DateTime',
  call: (_, value, timezone = undefined) => new DateTime(Number(value), wantedZone(timezone)),
});
