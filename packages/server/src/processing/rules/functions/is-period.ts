import { Period } from '@millrace/rules';
import { defineFunction, nullable } from '../define.ts';

export const isPeriodFunction = defineFunction({
  name: 'is_period',
  description: 'Whether a value is a period.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => value instanceof Period,
});
