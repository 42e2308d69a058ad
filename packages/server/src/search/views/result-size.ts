const SIZE_OF_VALUE = 16;

/** Roughly how many bytes a JSON value takes in memory. The value must not have cycles. */
export function approximateSize(value: unknown): number {
  if (typeof value === 'string') return SIZE_OF_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return SIZE_OF_VALUE;
  let size = SIZE_OF_VALUE;
  for (const inner of Object.values(value)) size += SIZE_OF_VALUE + approximateSize(inner);
  return size;
}
