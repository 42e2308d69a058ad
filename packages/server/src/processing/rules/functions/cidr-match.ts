import { defineFunction, required } from '../define.ts';
import { cidrProblems, knownCidr } from '../values/cidrs.ts';

export const cidrMatchFunction = defineFunction({
  name: 'cidr_match',
  description: 'Whether an address is part of a network.',
  params: [
    required('cidr', 'String', 'The network, such as 10.0.0.0/8.'),
    required('ip', 'IpAddress', 'The address, as to_ip() makes it.'),
  ],
  returns: 'Boolean',
  checkConstants: (constants) => cidrProblems(constants, 'cidr'),
  call: (_, cidr, ip) => knownCidr(cidr)(ip),
});
