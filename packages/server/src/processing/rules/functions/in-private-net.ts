import { defineFunction, required } from '../define.ts';
import { knownCidr } from '../values/cidrs.ts';
import { IpAddress } from '../values/ip-address.ts';

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

export const inPrivateNetFunction = defineFunction({
  name: 'in_private_net',
  description:
    'Whether an address is in a private network: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or fc00::/7. What is not an address has no result.',
  params: [required('ip_address', 'String', 'The address.')],
  returns: 'Boolean',
  call: (_, text) => {
    const address = IpAddress.parse(text);
    return address && PRIVATE.some((cidr) => knownCidr(cidr)(address));
  },
});
