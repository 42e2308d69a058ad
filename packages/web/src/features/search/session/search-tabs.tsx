import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useShortcuts } from '../../../lib/keys/index.ts';
import { parseSearch, stringifySearch } from '../../../lib/url/index.ts';
import { searchParams } from '../search-params.ts';
import { texts } from '../texts.ts';
import type { SearchState } from '../use-search.ts';
import { paramsOf } from './long-query.ts';
import classes from './search-tabs.module.css';
import { MAX_TABS, neighbourOf, readTabs, type SearchTab, storeTabs, withTab } from './tab-list.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Which tab of the search page this entry belongs to. */
    tab?: number;
    /** It shows the result of the entry before in another way: leaving that view goes back. */
    isView?: boolean;
  }
}

/** Several searches side by side. They appear with the second one. */
export function SearchTabs({ search }: { readonly search: SearchState }) {
  'use memo';
  const { tabs, active, open, goTo, close } = useTabs(search);
  useShortcuts([
    { keys: 'T', label: texts.newTab, group: texts.title, run: open },
    ...(tabs.length < 2
      ? []
      : tabs.map((tab, at) => ({
          keys: String(at + 1),
          label: titleOf(tab),
          group: texts.tabs,
          run: () => goTo(tab),
        }))),
  ]);
  if (tabs.length < 2) return null;
  return (
    <nav className={classes.tabs} aria-label={texts.tabs}>
      {tabs.map((tab, at) => (
        <div key={tab.id} className={classes.tab} data-active={tab.id === active}>
          <button
            type="button"
            className={classes.name}
            aria-current={tab.id === active ? 'page' : undefined}
            title={`${titleOf(tab)} (${at + 1})`}
            onClick={() => goTo(tab)}
          >
            {titleOf(tab)}
          </button>
          <button
            type="button"
            className={classes.close}
            aria-label={texts.closeTab(titleOf(tab))}
            onClick={() => close(tab)}
          >
            <IconX size={12} />
          </button>
        </div>
      ))}
      <Tooltip label={`${texts.newTab} (T)`}>
        <ActionIcon size="sm" aria-label={texts.newTab} disabled={tabs.length >= MAX_TABS} onClick={open}>
          <IconPlus size={14} />
        </ActionIcon>
      </Tooltip>
    </nav>
  );
}

/** An entry of the browser's history knows its tab, so Back goes to the right one. */
function useTabs({ values }: SearchState) {
  const router = useRouter();
  const href = useLocation({ select: (location) => location.href });
  const active = useLocation({ select: ({ state }) => state.tab ?? 0 });
  const [stored, setStored] = useState(readTabs);
  const tabs = withTab(stored, { id: active, href });
  useEffect(() => {
    setStored((before) => {
      const next = withTab(before, { id: active, href });
      storeTabs(next);
      return next;
    });
  }, [active, href]);
  const goTo = (tab: SearchTab) => router.history.push(tab.href, { tab: tab.id });
  return {
    tabs,
    active,
    goTo,
    open() {
      if (tabs.length >= MAX_TABS) return;
      // The same time and streams: most often it is about the same trouble.
      const { t, s, tz } = values;
      const id = Math.max(...tabs.map((tab) => tab.id)) + 1;
      goTo({ id, href: `/search${stringifySearch(searchParams.write({ t, s, tz }))}` });
    },
    close(tab: SearchTab) {
      const next = neighbourOf(tabs, tab.id);
      const rest = tabs.filter(({ id }) => id !== tab.id);
      storeTabs(rest);
      setStored(rest);
      if (tab.id === active && next !== undefined) goTo(next);
    },
  };
}

function titleOf({ href }: SearchTab): string {
  const { search, hash } = new URL(href, 'http://localhost');
  const { q } = searchParams.read(paramsOf({ search: parseSearch(search), hash })).values;
  return q === '*' ? 'All messages' : q;
}
