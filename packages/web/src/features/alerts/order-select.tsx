import { Select } from '@mantine/core';
import { listTexts as texts } from './texts.ts';

export interface Sorting<Sort extends string> {
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
}

/** An order that is offered. */
export interface NamedOrder<Sort extends string> extends Sorting<Sort> {
  readonly label: string;
}

interface OrderSelectProps<Sort extends string> {
  readonly orders: readonly NamedOrder<Sort>[];
  readonly value: Sorting<Sort>;
  readonly onChange: (sorting: Sorting<Sort>) => void;
}

/** How the server sorts a list. */
export function OrderSelect<Sort extends string>({ orders, value, onChange }: OrderSelectProps<Sort>) {
  const chosen = orders.find(({ sort, order }) => sort === value.sort && order === value.order) ?? orders[0];
  return (
    <Select
      aria-label={texts.order}
      data={orders.map(({ label }) => label)}
      value={chosen?.label ?? null}
      allowDeselect={false}
      onChange={(label) => {
        const next = orders.find((order) => order.label === label);
        if (next !== undefined) onChange({ sort: next.sort, order: next.order });
      }}
    />
  );
}
