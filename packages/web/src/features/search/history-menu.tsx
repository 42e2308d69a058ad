import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import type { SavedSearch } from '@millrace/contract';
import { IconHistory, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Timestamp } from '../../components/timestamp.tsx';
import { useCan } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import { historyQuery, savedSearchesQuery } from './queries.ts';
import { paramsOfSaved } from './saved-search.ts';
import classes from './search.module.css';
import type { SearchState } from './use-search.ts';

export interface HistoryMenuProps {
  readonly search: SearchState;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onChoose: (query: string) => void;
}

/** Saved searches and the queries that were used last, under the query box. */
export function HistoryMenu({ search, isOpen, onOpenChange, onChoose }: HistoryMenuProps) {
  return (
    <Popover opened={isOpen} onChange={onOpenChange} position="bottom-end" width={460} returnFocus>
      <Popover.Target>
        <Tooltip label="Saved and recent searches (Down in the query)">
          <ActionIcon
            className={classes.historyButton}
            aria-label="Saved and recent searches"
            onClick={() => onOpenChange(!isOpen)}
          >
            <IconHistory size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        {isOpen && (
          <HistoryPanel
            onChoose={onChoose}
            onOpenSaved={(saved) => {
              onOpenChange(false);
              search.commit(paramsOfSaved(saved));
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface HistoryPanelProps {
  readonly onChoose: (query: string) => void;
  readonly onOpenSaved: (saved: SavedSearch) => void;
}

function HistoryPanel({ onChoose, onOpenSaved }: HistoryPanelProps) {
  const { data: history } = useQuery({ ...historyQuery, staleTime: 0 });
  const { data: saved } = useQuery(savedSearchesQuery);
  const panel = useRef<HTMLDivElement>(null);
  const isLoaded = history !== undefined && saved !== undefined;
  useEffect(() => {
    if (isLoaded) panel.current?.querySelector('button')?.focus();
  }, [isLoaded]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows walk the buttons inside
    <div ref={panel} className={classes.history} onKeyDown={walkButtons}>
      <h3>Saved</h3>
      {saved?.searches.length === 0 && <p>Nothing is saved yet: see More, Save this search.</p>}
      {saved?.searches.map((each) => (
        <SavedLine key={each.id} saved={each} onOpen={() => onOpenSaved(each)} />
      ))}
      <h3>Recent</h3>
      {history?.queries.length === 0 && <p>Queries that you run are listed here.</p>}
      {history?.queries.map(({ query, used_at }) => (
        <div key={query} className={classes.historyLine}>
          <button type="button" onClick={() => onChoose(query)}>
            <bdi className={classes.historyQuery}>{query}</bdi>
            <Timestamp value={used_at} show="age" />
          </button>
        </div>
      ))}
    </div>
  );
}

function SavedLine({ saved, onOpen }: { readonly saved: SavedSearch; readonly onOpen: () => void }) {
  const client = useQueryClient();
  const mayDelete = useCan('savedsearches:edit', saved.id);
  const remove = useMutation({
    mutationFn: () => call('DELETE /search/saved/{searchId}', { path: { searchId: saved.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: savedSearchesQuery.queryKey }),
  });
  return (
    <div className={classes.historyLine}>
      <button type="button" onClick={onOpen}>
        <strong>{saved.title}</strong>
        <bdi className={classes.historyQuery}>{paramsOfSaved(saved).q}</bdi>
      </button>
      {mayDelete && (
        <ActionIcon size="sm" aria-label={`Delete ${saved.title}`} onClick={() => remove.mutate()}>
          <IconTrash size={14} />
        </ActionIcon>
      )}
    </div>
  );
}

function walkButtons(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('div > button:first-child')];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
}
