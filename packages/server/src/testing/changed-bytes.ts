import fc from 'fast-check';

/** What `seeds` gives, with up to `maxChanges` bytes changed, wherever they stand. */
export function changedBytes(
  seeds: fc.Arbitrary<string | Uint8Array>,
  maxChanges: number,
): fc.Arbitrary<Buffer> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: maxChanges });
  return fc.tuple(seeds, changes).map(([seed, list]) => {
    const bytes = Buffer.from(seed as Uint8Array);
    for (const [place, value] of list) if (bytes.length > 0) bytes[place % bytes.length] = value;
    return bytes;
  });
}
