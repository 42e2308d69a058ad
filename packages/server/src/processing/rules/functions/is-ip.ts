import { defineFunction, nullable } from '../define.ts';
import { IpAddress } from '../values/ip-address.ts';

export const isIpFunction = defineFunction({
  name: 'is_ip',
  description: 'Whether a value is an IP address, as to_ip() makes it.',
  params: [nullable('value', 'Object', 'The value.')],
  returns: 'Boolean',
  call: (_, value) => value instanceof IpAddress,
});
