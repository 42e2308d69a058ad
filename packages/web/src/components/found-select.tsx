import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

const ASK_AFTER_MS = 200;
/** How many are offered at a time; the others are a few letters away. */
const OFFERED = 50;
/** The longest page of the server. */
const MOST_ASKED = 1000;

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Something to choose from that the server looks through, so that a thousand of them need not be here. */
export interface ChoiceSource {
  /** What the choices depend on, besides what is typed. */
  readonly key: QueryKey;
  /** The first `count` that fit the text. */
  readonly find: (text: string, count: number, signal: AbortSignal) => Promise<readonly Choice[]>;
}

/** What fits the text, until then what fitted the text before. `beyond`: how many of them are not offered. */
export function useFoundChoices(
  source: ChoiceSource,
  text: string,
  beyond = 0,
): readonly Choice[] | undefined {
  const [find] = useDebouncedValue(text.trim(), ASK_AFTER_MS);
  const count = Math.min(OFFERED + beyond, MOST_ASKED);
  const { data } = useQuery({
    queryKey: [...source.key, 'choices', find, count],
    queryFn: ({ signal }) => source.find(find, count, signal),
    placeholderData: keepPreviousData,
  });
  return data;
}

type Own = 'data' | 'searchValue' | 'onSearchChange' | 'filter' | 'limit' | 'value' | 'searchable';
/** The server has looked already; what is chosen need not match. */
const unfiltered: NonNullable<SelectProps['filter']> = ({ options }) => options;

/** What is offered: what was found without some, and what is chosen. */
function offeredOf(
  found: readonly Choice[] = [],
  { without = [], chosen }: { readonly without?: readonly string[]; readonly chosen: readonly Choice[] },
): Choice[] {
  const others = found.filter(({ value }) => !without.includes(value));
  return [...chosen.filter(({ value }) => others.every((other) => other.value !== value)), ...others];
}

export interface FoundSelectProps extends Omit<SelectProps, Own> {
  readonly source: ChoiceSource;
  readonly value: string | null;
  /** How the value is called; undefined until it is known. */
  readonly valueLabel: string | undefined;
  /** Values that are not offered. */
  readonly without?: readonly string[];
  /** Offered whatever is typed. */
  readonly always?: readonly Choice[];
}

/** One of many. */
export function FoundSelect(props: FoundSelectProps) {
  const { source, value, valueLabel, without = [], always = [], ...select } = props;
  const [typed, setTyped] = useState('');
  const found = useFoundChoices(source, typed === valueLabel ? '' : typed, without.length);
  const chosen = value === null ? [] : [{ value, label: valueLabel ?? '' }];
  return (
    <Select
      {...select}
      data={offeredOf([...always, ...(found ?? [])], { without, chosen })}
      value={value}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={unfiltered}
    />
  );
}

export interface FoundMultiSelectProps extends Omit<MultiSelectProps, Own> {
  readonly source: ChoiceSource;
  readonly value: readonly string[];
  readonly labelOf: (value: string) => string;
}

/** Several of many. */
export function FoundMultiSelect({ source, value, labelOf, ...select }: FoundMultiSelectProps) {
  const [typed, setTyped] = useState('');
  const found = useFoundChoices(source, typed, value.length);
  const chosen = value.map((one) => ({ value: one, label: labelOf(one) }));
  return (
    <MultiSelect
      {...select}
      data={offeredOf(found, { chosen })}
      value={[...value]}
      searchable
      hidePickedOptions
      searchValue={typed}
      onSearchChange={setTyped}
      filter={unfiltered}
    />
  );
}
