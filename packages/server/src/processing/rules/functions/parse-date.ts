import { wantedZone } from '../dates/joda-pattern.ts';
import { parseJodaDate } from '../dates/parse-date.ts';
import { datePatternProblems } from '../dates/pattern-problems.ts';
import { defineFunction, optional, required } from '../define.ts';
import { languageOf } from '../values/conversions.ts';

export const parseDateFunction = defineFunction({
  name: 'parse_date',
  description: 'Reads a date by a pattern of Joda-Time. A text that does not fit is an error.',
  params: [
    required('value', 'String', 'The text.'),
    required('pattern', 'String', "The pattern, such as yyyy-MM-dd'T'HH:mm:ss.SSSZ."),
    optional('locale', 'String', 'The language of the names of months and days; English if it is left out.'),
    optional('timezone', 'String', 'The time zone of a text that names none; UTC if it is left out.'),
  ],
  returns: 'DateTime',
  checkConstants: (constants) => datePatternProblems(constants, 'pattern'),
  call: (_, value, pattern, locale, timezone) => {
    const date = parseJodaDate(value.trim(), pattern, {
      locale: languageOf(locale),
      zone: wantedZone(timezone),
    });
    if (date === undefined) throw new Error(`"${value.slice(0, 100)}" does not have the form ${pattern}`);
    return date;
  },
});
