import { defineFunction, required } from '../define.ts';

export const anonymizeIpFunction = defineFunction({
  name: 'anonymize_ip',
  description:
    'Replaces the end of an address: the last byte of an IPv4 address, the last 80 bits of an IPv6 address.',
  params: [required('ip', 'IpAddress', 'The address, as to_ip() makes it.')],
  returns: 'IpAddress',
  call: (_, ip) => ip.anonymized,
});
