import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentence } from '../../../lib/format/index.ts';
import type { PartKind } from './kinds.ts';
import { partChoicesQuery, partQuery } from './queries.ts';
import { lookupTexts } from './texts.ts';

const ASK_AFTER_MS = 200;

export interface PartPickerProps {
  readonly kind: PartKind;
  readonly label: string;
  /** An id; empty: none is chosen. */
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (id: string) => void;
}

/** A data adapter or a cache. The server finds them, since there may be thousands. */
export function PartPicker({ kind, label, value, problem, onChange }: PartPickerProps) {
  const [find, setFind] = useState('');
  const [settled] = useDebouncedValue(find, ASK_AFTER_MS);
  const { data: chosen } = useQuery({ ...partQuery(kind, value), enabled: value !== '' });
  // The box shows the title of the chosen one: all are offered beside it until something else is typed.
  const { data: found, error } = useQuery(partChoicesQuery(kind, settled === chosen?.title ? '' : settled));
  const parts = found?.parts ?? [];
  const offered =
    chosen === undefined || parts.some(({ id }) => id === chosen.id) ? parts : [chosen, ...parts];
  const more = (found?.total ?? 0) - parts.length;
  return (
    <Select
      label={label}
      aria-required
      description={more > 0 ? lookupTexts.moreChoices(more) : undefined}
      error={problem ?? (error === null ? undefined : sentence(error.message))}
      data={offered.map(({ id, title }) => ({ value: id, label: title }))}
      value={value === '' ? null : value}
      searchable
      searchValue={find}
      onSearchChange={setFind}
      filter={({ options }) => options}
      nothingFoundMessage={lookupTexts.noChoice}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
