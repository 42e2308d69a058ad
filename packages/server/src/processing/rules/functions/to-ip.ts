import { textOf } from '@millrace/rules';
import { defineFunction, nullable, optional } from '../define.ts';
import { IpAddress } from '../values/ip-address.ts';

export const toIpFunction = defineFunction({
  name: 'to_ip',
  description: 'Converts a value to an IP address.',
  params: [
    nullable('ip', 'Object', 'The value, usually a text.'),
    optional(
      'default',
      'String',
      'The address for what is missing or not an address; 0.0.0.0 if it is left out.',
    ),
    optional(
      'defaultToNull',
      'Boolean',
      'Whether a missing value has no result, whatever the default is; false if it is left out.',
    ),
  ],
  returns: 'IpAddress',
  call: (_, value, fallback = '0.0.0.0', defaultToNull = false) => {
    if (value === undefined && defaultToNull) return undefined;
    const address = value instanceof IpAddress ? value : IpAddress.parse(textOf(value));
    return address ?? IpAddress.parse(fallback) ?? new IpAddress('0.0.0.0');
  },
});
