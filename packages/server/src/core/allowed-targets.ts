import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Which addresses a node calls for those who configure notifications and lookup tables. They must not reach through it
 * what only this node can reach: its own services, the machines beside it, the metadata service of a cloud.
 */
export interface AllowedTargets {
  isAllowed(address: string): boolean;
  /** Which URLs may be called at these addresses; all without. */
  readonly urls?: AllowedUrls | undefined;
}

/** Which URLs administrators let users call. */
export interface AllowedUrls {
  isAllowed(url: string): boolean;
}

/** Loopback, private, link-local and other ranges that are not on the Internet. */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const REFUSED_IPV6 = [
  // Among them loopback, and the old form of IPv4 addresses.
  '::/96',
  // NAT64 within a network, and tunnels to IPv4.
  '64:ff9b:1::/48',
  '2001::/32',
  '100::/64',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];
/** Addresses that carry an IPv4 address: NAT64 and 6to4, with the bits before it. */
const CARRIERS = [
  { prefix: (hex: string) => `64:ff9b::${hex}`, bits: 96 },
  { prefix: (hex: string) => `2002:${hex}::`, bits: 16 },
];

/** @param allowed networks that may be called although they are not public, such as `10.1.0.0/16` */
export function createAllowedTargets(allowed: readonly string[] = [], urls?: AllowedUrls): AllowedTargets {
  const refusedList = new BlockList();
  for (const subnet of [...REFUSED_IPV4, ...REFUSED_IPV6]) add(refusedList, subnet);
  for (const subnet of REFUSED_IPV4) {
    const [address = '', bits] = subnet.split('/');
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    for (const carrier of CARRIERS) add(refusedList, `${carrier.prefix(hex)}/${carrier.bits + Number(bits)}`);
  }
  const allowedList = new BlockList();
  for (const subnet of allowed) add(allowedList, subnet);
  return {
    urls,
    isAllowed(address) {
      if (isIP(address) === 0) return false;
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      return allowedList.check(address, family) || !refusedList.check(address, family);
    },
  };
}

function add(list: BlockList, subnet: string): void {
  const [address = '', bits] = subnet.split('/');
  const isV6 = isIPv6(address);
  list.addSubnet(address, Number(bits ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4');
}
