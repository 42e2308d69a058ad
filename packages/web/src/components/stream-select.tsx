import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { PermissionName } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermissions } from '../lib/account/index.ts';
import { call } from '../lib/api/index.ts';

const ASK_AFTER_MS = 200;
const OFFERED = 50;
/** Rights for single streams cannot be asked for: those that fit are picked out of a longer page. */
const PICKED_FROM = 1000;

export interface StreamSelectProps
  extends Omit<SelectProps, 'data' | 'searchValue' | 'onSearchChange' | 'filter' | 'limit' | 'value'> {
  /** An id. */
  readonly value: string | null;
  /** What the user must be allowed to do with a stream that is offered. */
  readonly needs?: PermissionName;
  /** Ids of those that are not offered. */
  readonly without?: readonly string[];
}

/** One stream. The server looks for what is typed, so that a thousand of them need not be here. */
export function StreamSelect({ value, needs, without = [], ...select }: StreamSelectProps) {
  const permissions = usePermissions();
  const [typed, setTyped] = useState('');
  const { data: chosen } = useQuery({
    queryKey: ['streams', 'title', value],
    queryFn: ({ signal }) => call('GET /streams/{streamId}', { path: { streamId: value ?? '' }, signal }),
    select: ({ id, title }) => ({ value: id, label: title }),
    enabled: value !== null,
    retry: false,
  });
  const [find] = useDebouncedValue(typed === chosen?.label ? '' : typed, ASK_AFTER_MS);
  const isForAll = needs === undefined || permissions.implies(needs);
  const { data: found } = useQuery({
    queryKey: ['streams', 'offered', find, isForAll],
    queryFn: ({ signal }) =>
      call('GET /streams/paginated', {
        query: { query: find, per_page: isForAll ? OFFERED : PICKED_FROM, sort: 'title' },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const offered = (found?.elements ?? [])
    .filter(({ id }) => !without.includes(id))
    .filter(({ id }) => needs === undefined || permissions.implies(needs, id))
    .slice(0, OFFERED)
    .map(({ id, title }) => ({ value: id, label: title }));
  const isOffered = offered.some((option) => option.value === value);
  return (
    <Select
      {...select}
      data={isOffered || chosen === undefined || value === null ? offered : [chosen, ...offered]}
      value={value}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has looked already; the one that is chosen need not match.
      filter={({ options }) => options}
      nothingFoundMessage="No stream matches"
    />
  );
}
