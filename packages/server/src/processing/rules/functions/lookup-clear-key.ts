import { defineFunction, required } from '../define.ts';
import { changed } from '../lookups.ts';

export const lookupClearKeyFunction = defineFunction({
  name: 'lookup_clear_key',
  description: 'Removes a key from a lookup table that rules can change.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    required('key', 'Object', 'The key.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: (context, table, key) => void changed(context, table, key, { kind: 'clear' }),
});
