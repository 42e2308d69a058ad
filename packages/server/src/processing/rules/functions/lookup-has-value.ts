import { defineFunction, nullable, required } from '../define.ts';
import { isLookedUp } from '../lookups.ts';

export const lookupHasValueFunction = defineFunction({
  name: 'lookup_has_value',
  description: 'Whether a lookup table has a value for a key. The defaults of the table count.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    nullable('key', 'Object', 'The key.'),
  ],
  returns: 'Boolean',
  hasEffect: true,
  call: (context, table, key) => isLookedUp(context, table, key),
});
