import { textOf } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';
import { IpAddress } from '../values/ip-address.ts';

export const isIpFunction = defineFunction({
  name: 'is_ip',
  description: 'Whether a value is an IP address, as to_ip() makes it.',
  params: [
    nullable('value', 'Object', 'The value.'),
    optional(
      'attemptConversion',
      'Boolean',
      'Whether a text of an address counts, too; false if it is left out.',
    ),
  ],
  returns: 'Boolean',
  call: (_, value, converts = false) =>
    value instanceof IpAddress || (converts && IpAddress.parse(textOf(value)) !== undefined),
});
