import { defineFunction, optional, required } from '../define.ts';
import { readCsvLine } from '../values/csv-line.ts';
import { chargeParsing } from '../values/parsing-charge.ts';

export const csvToMapFunction = defineFunction({
  name: 'csv_to_map',
  description:
    'Reads a line of comma-separated values as a map. A line with more or fewer values than names gives an empty map.',
  params: [
    required('value', 'String', 'The line.'),
    required('fieldNames', 'String', 'The names of the columns, written as the line is.'),
    optional('separator', 'String', 'Between values; a comma if it is left out.'),
    optional('quoteChar', 'String', 'Around values; a double quote if it is left out.'),
    optional(
      'escapeChar',
      'String',
      'Before a character that is meant as itself; a backslash if it is left out.',
    ),
    optional('strictQuotes', 'Boolean', 'Whether only what is in quotes is read; false if it is left out.'),
    optional(
      'trimLeadingWhitespace',
      'Boolean',
      'Whether spaces before a value are left out; false if it is left out.',
    ),
    optional(
      'ignoreExtraFieldNames',
      'Boolean',
      'Whether to accept more names than values; false if it is left out.',
    ),
    optional(
      'ignoreExtraCsvValues',
      'Boolean',
      'Whether to accept more values than names; false if it is left out.',
    ),
    optional(
      'defaultToNull',
      'Boolean',
      'Whether a line that does not fit has no result instead of an empty map; false if it is left out.',
    ),
    optional(
      'ignoreExtraFields',
      'Boolean',
      'The older name for accepting more values than names, and more names than values.',
    ),
  ],
  returns: 'Map',
  call: (
    context,
    value,
    fieldNames,
    separator,
    quote,
    escaping,
    onlyQuoted,
    ignoreLeadingSpace,
    ignoreExtraNames = false,
    ignoreExtraValues = false,
    defaultToNull = false,
    ignoreExtra = false,
  ) => {
    const options = { separator, quote, escape: escaping, onlyQuoted, ignoreLeadingSpace };
    for (const text of [fieldNames, value]) chargeParsing(context, text);
    const names = readCsvLine(fieldNames, options);
    const values = readCsvLine(value, options);
    const fits =
      (ignoreExtra || ignoreExtraValues || values.length <= names.length) &&
      (ignoreExtra || ignoreExtraNames || names.length <= values.length);
    if (!fits) return defaultToNull ? undefined : new Map();
    return new Map(names.slice(0, values.length).map((name, index) => [name.trim(), values[index] ?? '']));
  },
});
