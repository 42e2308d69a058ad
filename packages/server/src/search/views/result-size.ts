const SIZE_OF_VALUE = 16;

/** About how many bytes a value of JSON takes in memory; it may not refer to itself. */
export function approximateSize(value: unknown): number {
  if (typeof value === 'string') return SIZE_OF_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return SIZE_OF_VALUE;
  let size = SIZE_OF_VALUE;
  for (const inner of Object.values(value)) size += SIZE_OF_VALUE + approximateSize(inner);
  return size;
}
