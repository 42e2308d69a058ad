import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { choiceParam, pageParams, type SearchParams } from '../lib/url/index.ts';
import { PartBoundary } from './part-boundary.tsx';
import classes from './part-tabs.module.css';

export interface PartTab<Value extends string, About> {
  readonly value: Value;
  readonly label: string;
  readonly Content: ComponentType<About>;
}

export interface PartTabsProps<About> {
  readonly tabs: readonly PartTab<string, About>[];
  readonly tab: string;
  readonly onTab: (tab: string | null) => void;
  /** What every part is about. */
  readonly about: About;
}

/** The parts of a page about one thing, one at a time. A part that fails takes no other with it. */
export function PartTabs<About extends object>({ tabs, tab, onTab, about }: PartTabsProps<About>) {
  return (
    <Tabs value={tab} onChange={onTab} keepMounted={false}>
      <Tabs.List>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, Content }) => (
        <Tabs.Panel key={value} value={value} className={classes.panel}>
          <PartBoundary>
            <Content {...about} />
          </PartBoundary>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** `?tab=` chooses what is shown of a page, the first tab without it; and how to choose another one. */
export function useTab<Value extends string>(
  tabs: readonly { readonly value: Value }[],
): readonly [Value, (tab: string | null) => void] {
  const values = tabs.map(({ value }) => value);
  const [first] = values as [Value];
  const params = pageParams<{ tab: Value }>({ tab: choiceParam(values, first) });
  const search = useSearch({ strict: false }) as SearchParams;
  const navigate = useNavigate();
  const open = (chosen: string | null) => {
    const tab = values.find((value) => value === chosen) ?? first;
    void navigate({ to: '.', search: params.write({ tab }, search) });
  };
  return [params.read(search).values.tab, open];
}
