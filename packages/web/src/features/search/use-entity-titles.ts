import { useCallback } from 'react';
import type { FieldValueProps } from '../../components/field-value.tsx';
import { useStreamTitles } from '../../lib/streams/index.ts';

const STREAMS_FIELD = 'streams';
const ID = /^[0-9a-f]{24}$/;

/** Names of streams in the place of their ids. `values`: those of the field that are shown. */
export function useEntityTitles(
  field: string,
  values: readonly unknown[],
): NonNullable<FieldValueProps['titleOf']> {
  const ids = field === STREAMS_FIELD ? values.filter((id) => typeof id === 'string' && ID.test(id)) : [];
  const { titles } = useStreamTitles(ids as string[]);
  return useCallback((of, value) => (of === STREAMS_FIELD ? titles[String(value)] : undefined), [titles]);
}
