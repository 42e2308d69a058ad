import { createComponentRegistry } from '#core/index.ts';
import { copyInput } from './copy-input.ts';
import { grok } from './grok.ts';
import { json } from './json.ts';
import { lookupTable } from './lookup-table.ts';
import { regex } from './regex.ts';
import { regexReplace } from './regex-replace.ts';
import { splitAndIndex } from './split-and-index.ts';
import { substring } from './substring.ts';

/** A new type of extractor is a file and a line. */
export const EXTRACTOR_TYPES = createComponentRegistry('extractor', [
  copyInput,
  grok,
  json,
  lookupTable,
  regex,
  regexReplace,
  splitAndIndex,
  substring,
]);
