import { type ConfigurationOf, field, types } from '#core/index.ts';

const character = () => types.text({ minLength: 1, maxLength: 1 });

export const csvFileFields = {
  path: field(types.text({ minLength: 1, maxLength: 1000 }), {
    humanName: 'File',
    description: 'A file below lookup_files_dir of each node. Its first line has the names of the columns.',
    placeholder: 'hosts.csv',
  }),
  separator: field(character(), {
    humanName: 'Separator',
    description: 'The character between columns.',
    default: ',',
  }),
  quotechar: field(character(), {
    humanName: 'Quote character',
    description: 'The character around values that contain a separator.',
    default: '"',
  }),
  key_column: field(types.text({ minLength: 1, maxLength: 200 }), {
    humanName: 'Key column',
    description: 'The name of the column with the keys.',
    default: 'key',
  }),
  value_column: field(types.text({ minLength: 1, maxLength: 200 }), {
    humanName: 'Value column',
    description: 'The name of the column with the values.',
    default: 'value',
  }),
  check_interval: field(types.integer({ min: 1, max: 86_400 }), {
    humanName: 'Check interval',
    description: 'Seconds after which the file is looked at again.',
    default: 60,
  }),
  case_insensitive_lookup: field(types.boolean(), {
    humanName: 'Ignore case',
    description: 'Whether upper and lower case of keys are the same.',
    default: false,
  }),
};

export type CsvFileConfig = ConfigurationOf<typeof csvFileFields>;
