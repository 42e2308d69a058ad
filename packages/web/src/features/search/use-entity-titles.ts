import { useQuery } from '@tanstack/react-query';
import type { FieldValueProps } from '../../components/field-value.tsx';
import { streamListQuery } from './queries.ts';

/** Names of streams in the place of their ids. */
export function useEntityTitles(): NonNullable<FieldValueProps['titleOf']> {
  const { data } = useQuery(streamListQuery);
  return (field, value) =>
    field === 'streams' ? data?.streams.find(({ id }) => id === value)?.title : undefined;
}
