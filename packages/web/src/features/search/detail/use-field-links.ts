import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ValueLink } from '../../../components/field-value.tsx';
import { call } from '../../../lib/api/index.ts';
import type { FieldScalar } from '../../../lib/edit-query/index.ts';

export const fieldLinksQuery = queryOptions({
  queryKey: ['field-links'],
  staleTime: 300_000,
  queryFn: ({ signal }) => call('GET /system/field_links', { signal }),
});

/** Links to other systems that an administrator set for a field. */
export function useFieldLinks(): (field: string, value: FieldScalar) => readonly ValueLink[] {
  const { data = [] } = useQuery(fieldLinksQuery);
  return (field, value) =>
    data
      .filter((link) => link.field === field)
      .map(({ title, url }) => ({
        title,
        url: url.replaceAll('{value}', encodeURIComponent(String(value))),
      }));
}
