import { field, types } from '#core/index.ts';
import { readCsvLine } from '../../rules/index.ts';
import { defineConverter } from '../converter.ts';

const character = types.text({ maxLength: 1 });

export const csv = defineConverter({
  id: 'csv',
  name: 'CSV to fields',
  description: 'Reads a line of separated values; each column becomes a field.',
  fields: {
    column_header: field(types.text(), {
      humanName: 'Field names',
      description: 'The names of the columns, separated as the values are.',
    }),
    separator: field(character, { humanName: 'Separator', description: 'Between values.', default: ',' }),
    quote_char: field(character, { humanName: 'Quote', description: 'Around values.', default: '"' }),
    escape_char: field(character, {
      humanName: 'Escape',
      description: 'Before a character that is meant as itself.',
      default: '\\',
    }),
    strict_quotes: field(types.boolean(), {
      humanName: 'Strict quotes',
      description: 'Whether only what is in quotes is part of a value.',
      default: false,
    }),
    trim_leading_whitespace: field(types.boolean(), {
      humanName: 'Trim leading whitespace',
      description: 'Whether white space before a value is left out.',
      default: true,
    }),
  },
  create(_, config) {
    const { separator, quote_char: quote, escape_char: escaping } = config;
    const options = { separator, quote, escape: escaping };
    const names = readCsvLine(config.column_header, { ...options, ignoreLeadingSpace: true });
    const lineOptions = {
      ...options,
      ignoreLeadingSpace: config.trim_leading_whitespace,
      onlyQuoted: config.strict_quotes,
    };
    return {
      kind: 'fields',
      convert(text) {
        const values = readCsvLine(text, lineOptions);
        if (values.length !== names.length) {
          throw new Error(`the line has ${values.length} values, and there are ${names.length} field names`);
        }
        return new Map(values.map((value, index) => [(names[index] ?? '').trim(), value]));
      },
    };
  },
});
