import { defineFunction, optional, required } from '../define.ts';
import { readCef } from '../values/cef.ts';
import { chargeParsing } from '../values/parsing-charge.ts';

export const parseCefFunction = defineFunction({
  name: 'parse_cef',
  description:
    'Reads a text in the Common Event Format, from "CEF:" on. The result is a map of its header and its extensions; other texts have no result.',
  params: [
    required('cef_string', 'String', 'The text.'),
    optional(
      'use_full_names',
      'Boolean',
      'Whether extensions have their long names, such as sourceAddress for src; false if it is left out.',
    ),
  ],
  returns: 'Map',
  call: (context, text, usesFullNames = false) => {
    chargeParsing(context, text);
    return readCef(text, usesFullNames);
  },
});
