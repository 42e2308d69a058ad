import { BlockList, isIP, isIPv4 } from 'node:net';
import { OpaqueValue } from '@millrace/rules';

/** An IPv4 or IPv6 address. */
export class IpAddress extends OpaqueValue {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  /** Undefined: the text is not an address. */
  static parse(text: string): IpAddress | undefined {
    const address = text.trim();
    return isIP(address) === 0 ? undefined : new IpAddress(address);
  }

  override toString(): string {
    return this.text;
  }

  /** The last byte of an IPv4 address is 0; of an IPv6 address the first 48 bits remain. */
  get anonymized(): IpAddress {
    if (isIPv4(this.text)) return new IpAddress(this.text.replace(/\d+$/, '0'));
    const [before = '', after = ''] = shortest(this.text.split('%')[0] ?? '').split('::');
    const [first, last] = [groupsIn(before), groupsIn(after)];
    const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
    return new IpAddress(shortest(`${[...first, ...zeros, ...last].slice(0, 3).join(':')}::`));
  }
}

/** An IPv6 address as it is usually written, with `::` for the longest run of zeros. */
function shortest(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function groupsIn(address: string): readonly string[] {
  return address === '' ? [] : address.split(':');
}

export type CidrTest = (address: IpAddress) => boolean;

/** Undefined: the text is not a network such as `10.0.0.0/8`. */
export function cidrTest(cidr: string): CidrTest | undefined {
  const [network = '', bits = '', ...rest] = cidr.trim().split('/');
  const family = isIP(network);
  const length = Number(bits);
  const longest = family === 4 ? 32 : 128;
  if (family === 0 || rest.length > 0 || !/^\d+$/.test(bits) || length > longest) return undefined;
  const list = new BlockList();
  list.addSubnet(network, length, family === 4 ? 'ipv4' : 'ipv6');
  return ({ text }) => list.check(text, isIPv4(text) ? 'ipv4' : 'ipv6');
}
