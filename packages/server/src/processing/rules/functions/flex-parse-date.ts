import { flexibleDate } from '../dates/flexible-date.ts';
import { wantedZone } from '../dates/joda-pattern.ts';
import { defineFunction, optional, required } from '../define.ts';

export const flexParseDateFunction = defineFunction({
  name: 'flex_parse_date',
  description: 'Reads a date in any usual form, also in English words.',
  params: [
    required('value', 'String', 'The text.'),
    optional('default', 'DateTime', 'The result for a text without a date. Without it, that is an error.'),
    optional('timezone', 'String', 'The time zone of a text that names none; UTC if it is left out.'),
  ],
  returns: 'DateTime',
  hasEffect: true,
  call: ({ environment }, value, fallback, timezone) => {
    const date = flexibleDate(value, environment.now(), wantedZone(timezone)) ?? fallback;
    if (date === undefined) throw new Error(`there is no date in "${value.slice(0, 100)}"`);
    return date;
  },
});
