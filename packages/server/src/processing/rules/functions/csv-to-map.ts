import { defineFunction, optional, required } from '../define.ts';
import { readCsvLine } from '../values/csv-line.ts';

export const csvToMapFunction = defineFunction({
  name: 'csv_to_map',
  description: 'Reads a line of comma-separated values as a map.',
  params: [
    required('value', 'String', 'The line.'),
    required('fieldNames', 'String', 'The names of the columns, separated by commas.'),
    optional('separator', 'String', 'Between values; a comma if it is left out.'),
    optional('quoteChar', 'String', 'Around values; a double quote if it is left out.'),
    optional(
      'escapeChar',
      'String',
      'Before a character that is meant as itself; a backslash if it is left out.',
    ),
    optional(
      'ignoreExtraFields',
      'Boolean',
      'Whether to accept more values than names; false if it is left out.',
    ),
  ],
  returns: 'Map',
  call: (_, value, fieldNames, separator, quote, escaping, ignoreExtra = false) => {
    const names = fieldNames.split(',').map((name) => name.trim());
    const values = readCsvLine(value, { separator, quote, escape: escaping });
    if (values.length > names.length && !ignoreExtra) {
      throw new Error(`the line has ${values.length} values, and there are ${names.length} names`);
    }
    return new Map(values.slice(0, names.length).map((each, index) => [names[index] ?? '', each]));
  },
});
