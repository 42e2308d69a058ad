import { ALWAYS_SAFE, defineExtractorType } from '../extractor-type.ts';

export const copyInput = defineExtractorType({
  id: 'copy_input',
  wireType: 'org.graylog2.inputs.extractors.CopyInputExtractor',
  name: 'Copy input',
  description: 'Takes the whole text.',
  fields: {},
  create: () => ({
    safeLength: ALWAYS_SAFE,
    extract: (text) => [{ field: undefined, value: text, begin: 0, end: text.length }],
  }),
});
