import { textOf } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';

/** The texts that Java programs read as true or false. */
const TEXTS = /^(?:true|false|yes|no|y|n|t|f|on|off|1|0)$/i;

export const isBoolFunction = defineFunction({
  name: 'is_bool',
  description: 'Whether a value is true or false.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional(
      'attemptConversion',
      'Boolean',
      'Whether a text such as "yes" or "off" counts, too; false if it is left out.',
    ),
  ],
  returns: 'Boolean',
  call: (_, value, converts = false) => typeof value === 'boolean' || (converts && TEXTS.test(textOf(value))),
});
