import { defineFunction, optional, required } from '../define.ts';
import { readKeyValues } from '../values/key-values.ts';

export const keyValueFunction = defineFunction({
  name: 'key_value',
  description: 'Reads pairs of keys and values from a text.',
  params: [
    required('value', 'String', 'The text.'),
    optional('delimiters', 'String', 'The characters between pairs; white space if it is left out.'),
    optional('kv_delimiters', 'String', 'The characters between key and value; = if it is left out.'),
    optional(
      'ignore_empty_values',
      'Boolean',
      'Whether to leave out keys without a value; true if it is left out.',
    ),
    optional('allow_dup_keys', 'Boolean', 'Whether a key may be there twice; true if it is left out.'),
    optional(
      'handle_dup_keys',
      'String',
      'take_first, take_last, or a text by which the values are joined; take_first if it is left out.',
    ),
    optional('trim_key_chars', 'String', 'Characters to remove from both ends of keys.'),
    optional('trim_value_chars', 'String', 'Characters to remove from both ends of values.'),
    optional(
      'use_escape_char',
      'Boolean',
      'Whether a delimiter between pairs that follows a backslash is part of the value; false if it is left out.',
    ),
  ],
  returns: 'Map',
  call: (
    _,
    value,
    delimiters,
    kvDelimiters,
    ignoreEmpty,
    allowDuplicates,
    handleDuplicates,
    trimKeys,
    trimValues,
    usesEscapes,
  ) =>
    readKeyValues(value, {
      delimiters,
      kvDelimiters,
      ignoreEmpty,
      allowDuplicates,
      handleDuplicates,
      trimKeys,
      trimValues,
      usesEscapes,
    }),
});
