import { isMap } from '@millrace/rules';
import { defineFunction, nullable } from '../define.ts';

export const isMapFunction = defineFunction({
  name: 'is_map',
  description: 'Whether a value is a map.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => isMap(value),
});
