import { DateTime } from '@millrace/rules';
import { isoDate } from '../dates/flexible-date.ts';
import { wantedZone } from '../dates/joda-pattern.ts';
import { defineFunction, optional, required } from '../define.ts';

export const toDateFunction = defineFunction({
  name: 'to_date',
  description:
    'Converts a value to a date: a date, milliseconds since 1970, or a text in ISO 8601. Other values have no result.',
  params: [
    required('value', 'Object', 'The value.'),
    optional('timezone', 'String', 'The time zone; UTC if it is left out.'),
  ],
  returns: 'DateTime',
  call: (_, value, timezone = undefined) => {
    const zone = wantedZone(timezone);
    if (value instanceof DateTime) return timezone === undefined ? value : new DateTime(value.ms, zone);
    if (typeof value === 'number' && Number.isInteger(value)) return new DateTime(value, zone);
    return typeof value === 'string' ? isoDate(value, zone) : undefined;
  },
});
