import { defineFunction, optional, required } from '../define.ts';
import { changed, storable, ttlMsOf } from '../lookups.ts';

export const lookupSetValueFunction = defineFunction({
  name: 'lookup_set_value',
  description:
    'Sets the single value of a key in a lookup table that rules can change. Returns the new value.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    required('key', 'Object', 'The key.'),
    required('value', 'Object', 'The value.'),
    optional('ttl', 'Long', 'Seconds after which it is forgotten; never if it is left out.'),
  ],
  returns: 'Object',
  hasEffect: true,
  call: (context, table, key, value, ttl) =>
    value === undefined
      ? undefined
      : changed(context, table, key, {
          kind: 'set',
          value: storable(value),
          ttlMs: ttl === undefined ? undefined : ttlMsOf(ttl),
        }).single,
});
