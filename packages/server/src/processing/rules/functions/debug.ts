import { textOf } from '@millrace/rules';
import { defineFunction, nullable } from '../define.ts';

export const debugFunction = defineFunction({
  name: 'debug',
  description: 'Writes a value to the log of the node.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Void',
  hasEffect: true,
  call: ({ environment }, value) =>
    environment.debug(`PIPELINE DEBUG: ${value === undefined ? 'null' : textOf(value)}`),
});
