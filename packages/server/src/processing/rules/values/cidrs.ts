import { BoundedMap } from '#core/index.ts';
import { MAX_REMEMBERED_LENGTH } from '../message-limits.ts';
import { type CidrTest, cidrTest } from './ip-address.ts';

const known = new BoundedMap<string, CidrTest>({ maxEntries: 10_000 });

/** Throws for a text that is not a network. */
export function knownCidr(cidr: string): CidrTest {
  let test = known.get(cidr);
  if (test === undefined) {
    test = cidrTest(cidr);
    if (test === undefined) throw new Error(`"${cidr}" is not a network such as 10.0.0.0/8`);
    if (cidr.length <= MAX_REMEMBERED_LENGTH) known.set(cidr, test);
  }
  return test;
}

export function cidrProblems(constants: ReadonlyMap<string, unknown>, parameter: string) {
  const cidr = constants.get(parameter);
  if (typeof cidr !== 'string' || cidrTest(cidr) !== undefined) return [];
  return [
    { parameter, message: `"${cidr}" is not a network.`, hint: 'Write it as 10.0.0.0/8 or 2001:db8::/32.' },
  ];
}
