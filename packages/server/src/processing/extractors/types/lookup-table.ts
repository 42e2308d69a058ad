import { lookedUpSingle } from '../../rules/index.ts';
import { ALWAYS_SAFE, defineExtractorType, lookupTableField } from '../extractor-type.ts';

export const lookupTable = defineExtractorType({
  id: 'lookup_table',
  wireType: 'org.graylog2.inputs.extractors.LookupTableExtractor',
  name: 'Lookup table',
  description: 'Takes the value that a lookup table has for the text.',
  fields: { lookup_table_name: lookupTableField },
  create: (environment, { lookup_table_name: table }) => ({
    safeLength: ALWAYS_SAFE,
    extract(text) {
      const value = lookedUpSingle({ environment }, table, text);
      return value === undefined ? [] : [{ field: undefined, value, begin: -1, end: -1 }];
    },
  }),
});
