import { lookedUpSingle } from '../../rules/index.ts';
import { defineConverter } from '../converter.ts';
import { lookupTableField } from '../extractor-type.ts';

export const lookupTable = defineConverter({
  id: 'lookup_table',
  name: 'Lookup table',
  description: 'The value that a lookup table has for the text; a text without a value stays.',
  fields: { lookup_table_name: lookupTableField },
  create: (environment, { lookup_table_name: table }) => ({
    kind: 'value',
    convert: (text) => lookedUpSingle({ environment }, table, text) ?? text,
  }),
});
