import { defineFunction, required } from '../define.ts';
import { changed, ttlMsOf } from '../lookups.ts';

export const lookupAssignTtlFunction = defineFunction({
  name: 'lookup_assign_ttl',
  description: 'Says how long a key of a lookup table that rules can change stays. Returns its single value.',
  params: [
    required('lookup_table', 'String', 'The name of the table.'),
    required('key', 'Object', 'The key.'),
    required('ttl', 'Long', 'Seconds after which it is forgotten.'),
  ],
  returns: 'Object',
  hasEffect: true,
  call: (context, table, key, ttl) =>
    changed(context, table, key, { kind: 'ttl', ttlMs: ttlMsOf(ttl) }).single,
});
