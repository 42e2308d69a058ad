import { formatCount, formatRate } from '../lib/format/index.ts';

/** Messages a second, short, with all digits on hover. */
export function Rate({ perSecond }: { readonly perSecond: number }) {
  return <span title={`${formatCount(perSecond)} a second`}>{formatRate(perSecond)}</span>;
}
