import { isList } from '@millrace/rules';
import { defineFunction, nullable } from '../define.ts';

export const isCollectionFunction = defineFunction({
  name: 'is_collection',
  description: 'Whether a value is a list.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => isList(value),
});
