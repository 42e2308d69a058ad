interface Range {
  readonly type: string;
  readonly quality: number;
}

const MAX_RANGES = 50;

/**
 * The offered type that the client prefers. Of equally preferred types, the one it names first; if it accepts none of
 * them, the first offered one, because an answer in another type is better than none.
 */
export function preferredType<const Offered extends string>(
  accept: string | undefined,
  offered: readonly [Offered, ...Offered[]],
): Offered {
  const ranges = parseAccept(accept ?? '');
  let best: { readonly type: Offered; readonly quality: number; readonly place: number } | undefined;
  for (const type of offered) {
    const place = bestRange(ranges, type);
    const quality = ranges[place]?.quality ?? 0;
    if (quality === 0) continue;
    const isBetter =
      best === undefined || quality > best.quality || (quality === best.quality && place < best.place);
    if (isBetter) best = { type, quality, place };
  }
  return best?.type ?? offered[0];
}

/** The position of the most specific range for a type: itself, then `text/*`, then anything; -1 for none. */
function bestRange(ranges: readonly Range[], type: string): number {
  const group = `${type.split('/')[0]}/*`;
  for (const wanted of [type, group, '*/*']) {
    const place = ranges.findIndex((range) => range.type === wanted);
    if (place >= 0) return place;
  }
  return -1;
}

function parseAccept(header: string): Range[] {
  return header
    .split(',', MAX_RANGES)
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      const number = quality === undefined ? 1 : Number(quality);
      return { type, quality: number >= 0 && number <= 1 ? number : 1 };
    })
    .filter(({ type }) => type !== '');
}
