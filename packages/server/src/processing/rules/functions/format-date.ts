import { DateTime } from '@millrace/rules';
import { formatJodaDate } from '../dates/format-date.ts';
import { wantedZone } from '../dates/joda-pattern.ts';
import { datePatternProblems } from '../dates/pattern-problems.ts';
import { defineFunction, optional, required } from '../define.ts';
import { languageOf } from '../values/conversions.ts';

export const formatDateFunction = defineFunction({
  name: 'format_date',
  description: 'Writes a date by a pattern of Joda-Time.',
  params: [
    required('value', 'DateTime', 'The date.'),
    required('format', 'String', 'The pattern, such as yyyy-MM-dd HH:mm:ss.'),
    optional('timezone', 'String', 'The time zone; that of the date if it is left out.'),
    optional('locale', 'String', 'The language of the names of months and days; English if it is left out.'),
  ],
  returns: 'String',
  checkConstants: (constants) => datePatternProblems(constants, 'format'),
  call: (_, value, format, timezone, locale) =>
    formatJodaDate(
      timezone === undefined ? value : new DateTime(value.ms, wantedZone(timezone)),
      format,
      languageOf(locale),
    ),
});
