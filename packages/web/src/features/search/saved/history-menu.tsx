import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import type { SavedSearch, SearchHistory } from '@millrace/contract';
import { IconHistory, IconTrash, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ConfirmInline } from '../../../components/confirm-inline.tsx';
import { Failed } from '../../../components/failed.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { useCan } from '../../../lib/account/index.ts';
import { call } from '../../../lib/api/index.ts';
import { countOf } from '../../../lib/format/index.ts';
import { describeTimeRange, useTimeZone } from '../../../lib/time/index.ts';
import { historyQuery, savedSearchesQuery } from '../queries.ts';
import { searchParams } from '../search-params.ts';
import type { SearchState } from '../use-search.ts';
import classes from './history.module.css';
import { paramsOfSaved, rangeOf } from './saved-search.ts';

export interface HistoryMenuProps {
  readonly search: SearchState;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Saved searches and the queries that were used last, under the query box. */
export function HistoryMenu({ search, isOpen, onOpenChange }: HistoryMenuProps) {
  'use memo';
  return (
    <Popover opened={isOpen} onChange={onOpenChange} position="bottom-end" width={560} returnFocus>
      <Popover.Target>
        <Tooltip label="Saved and recent searches (Down in the query)">
          <ActionIcon
            className={classes.button}
            aria-label="Saved and recent searches"
            onClick={() => onOpenChange(!isOpen)}
          >
            <IconHistory size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.dropdown} aria-label="Saved and recent searches">
        {isOpen && <HistoryPanel search={search} onDone={() => onOpenChange(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

interface HistoryPanelProps {
  readonly search: SearchState;
  readonly onDone: () => void;
}

function HistoryPanel({ search, onDone }: HistoryPanelProps) {
  const { data: history } = useQuery({ ...historyQuery, staleTime: 0 });
  const { data: saved } = useQuery(savedSearchesQuery);
  const panel = useRef<HTMLDivElement>(null);
  const isLoaded = history !== undefined && saved !== undefined;
  useEffect(() => {
    if (isLoaded) panel.current?.querySelector('button')?.focus();
  }, [isLoaded]);
  const open = (saved: SavedSearch) => {
    onDone();
    search.commit({ ...searchParams.read(paramsOfSaved(saved)).values, saved: saved.id }, saved.title);
  };
  const use = ({ query, timerange, streams }: UsedQuery) => {
    onDone();
    // Where it was used; without that, where the search is now.
    const scope = { ...(timerange && { t: rangeOf(timerange) }), ...(streams && { s: streams }) };
    search.commit({ q: query, ...scope });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows walk the buttons inside
    <div ref={panel} className={classes.history} onKeyDown={walkButtons}>
      <h2>Saved</h2>
      {saved?.searches.length === 0 && <p>Nothing is saved yet: press Ctrl+S, or see More.</p>}
      {saved?.searches.map((each) => (
        <SavedLine key={each.id} saved={each} onOpen={() => open(each)} />
      ))}
      <h2>Recent</h2>
      {history?.queries.length === 0 && <p>Queries that you run are listed here.</p>}
      {history?.queries.map((used) => (
        <UsedLine key={used.query} used={used} onUse={() => use(used)} />
      ))}
    </div>
  );
}

function SavedLine({ saved, onOpen }: { readonly saved: SavedSearch; readonly onOpen: () => void }) {
  const client = useQueryClient();
  const mayDelete = useCan('savedsearches:edit', saved.id);
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => call('DELETE /search/saved/{searchId}', { path: { searchId: saved.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: savedSearchesQuery.queryKey }),
  });
  return (
    <>
      <div className={classes.line}>
        <button type="button" onClick={onOpen}>
          <strong>{saved.title}</strong>
          <bdi className={classes.query}>{searchParams.read(paramsOfSaved(saved)).values.q}</bdi>
        </button>
        {mayDelete && (
          <ActionIcon size="sm" aria-label={`Delete ${saved.title}`} onClick={() => setAsking(true)}>
            <IconTrash size={14} />
          </ActionIcon>
        )}
      </div>
      {isAsking && (
        <ConfirmInline
          question={`Delete the saved search “${saved.title}”? Links to it lead nowhere then.`}
          action="Delete"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onCancel={() => setAsking(false)}
        />
      )}
      {remove.error !== null && <Failed error={remove.error} />}
    </>
  );
}

type UsedQuery = SearchHistory['queries'][number];

function UsedLine({ used, onUse }: { readonly used: UsedQuery; readonly onUse: () => void }) {
  const zone = useTimeZone();
  const client = useQueryClient();
  const { query, timerange, streams = [], used_at } = used;
  const forget = useMutation({
    mutationFn: () => call('DELETE /search/history', { query: { query } }),
    onSettled: () => client.invalidateQueries({ queryKey: historyQuery.queryKey }),
  });
  const scope = [
    ...(timerange === undefined ? [] : [describeTimeRange(rangeOf(timerange), zone)]),
    ...(streams.length === 0 ? [] : [countOf(streams.length, 'stream')]),
  ];
  return (
    <div className={classes.line}>
      <button type="button" onClick={onUse}>
        <bdi className={classes.query}>{query}</bdi>
        <span className={classes.scope}>{scope.join(', ')}</span>
        <Timestamp value={used_at} show="age" />
      </button>
      <ActionIcon
        size="sm"
        aria-label={`Forget ${query}`}
        loading={forget.isPending}
        onClick={() => forget.mutate()}
      >
        <IconX size={14} />
      </ActionIcon>
      {forget.error !== null && <Failed error={forget.error} />}
    </div>
  );
}

function walkButtons(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  // Not those of a question.
  const rows = event.currentTarget.querySelectorAll<HTMLElement>('div:not(form div) > button:first-child');
  const buttons = [...rows];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
}
