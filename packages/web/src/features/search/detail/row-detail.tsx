import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ChosenValue, detailFieldNames } from '../../../components/detail-fields.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { withColumn, withoutColumn } from '../../../components/log-list/columns.ts';
import { MessageDetail } from '../../../components/message-detail.tsx';
import { usePreferences } from '../../../lib/account/index.ts';
import { type FieldScalar, valueClause } from '../../../lib/edit-query/index.ts';
import { useShortcuts } from '../../../lib/keys/index.ts';
import { fromResult, type LogMessage, scalarsOf } from '../../../lib/messages/index.ts';
import { stringifySearch } from '../../../lib/url/index.ts';
import type { Marks } from '../list/use-marks.ts';
import { messageQuery } from '../queries.ts';
import { HIGHLIGHT_COLOURS, MAX_HIGHLIGHTS } from '../result-params.ts';
import { searchParams } from '../search-params.ts';
import { texts } from '../texts.ts';
import { useEntityTitles } from '../use-entity-titles.ts';
import type { SearchState } from '../use-search.ts';
import { Around } from './around.tsx';
import { StatisticsButton } from './field-statistics.tsx';
import { heldAtFirst } from './surroundings.ts';
import { useFieldLinks } from './use-field-links.ts';

export interface RowDetailProps {
  readonly message: LogMessage;
  readonly search: SearchState;
  readonly marks?: Marks;
}

const MINUTE_MS = 60_000;
/** Every stored message has it, unless only the columns were loaded. */
const ALWAYS_STORED = 'gl2_receive_timestamp';

/** The detail of a row of the search page. */
export function RowDetail({ message: row, search, marks }: RowDetailProps) {
  'use memo';
  const { values, change, actions } = search;
  const [tab, setTab] = useState('fields');
  const linksOf = useFieldLinks();
  const [{ favouriteFields }, changePreferences] = usePreferences();
  const { message, error } = useWhole(row);
  const titleOf = useEntityTitles('streams', scalarsOf(message.fields.streams));
  const { index, id } = message;
  const isAround = values.around !== undefined && index !== undefined;
  const openTab = (next: string) => {
    setTab(next);
    change({ around: next === 'around' ? (values.around ?? heldAtFirst(message.fields)) : undefined });
  };
  const toggleColumn = (field: string) => {
    const isShown = values.cols.some((column) => column.field === field);
    change({ cols: isShown ? withoutColumn(values.cols, field) : withColumn(values.cols, field) });
  };
  const highlight = (field: string, value: FieldScalar) =>
    change({
      hl: [
        ...values.hl,
        { colour: (values.hl.length % HIGHLIGHT_COLOURS) + 1, query: valueClause(field, value) },
      ].slice(-MAX_HIGHLIGHTS),
    });
  const chosen = useChosenValue(message, favouriteFields, actions);
  useShortcuts(
    index === undefined
      ? []
      : [{ keys: 'a', label: texts.around, group: texts.messages, run: () => openTab('around') }],
  );
  if (error !== null) return <ErrorNotice error={error} />;
  return (
    <MessageDetail
      message={message}
      actions={{ ...actions, highlight }}
      titleOf={titleOf}
      linksOf={linksOf}
      permalink={index === undefined ? liveLink(message) : `/messages/${encodeURIComponent(index)}/${id}`}
      columns={values.cols.map(({ field }) => field)}
      onToggleColumn={toggleColumn}
      favourites={favouriteFields}
      onToggleFavourite={(field) =>
        changePreferences({
          favouriteFields: favouriteFields.includes(field)
            ? favouriteFields.filter((name) => name !== field)
            : [...favouriteFields, field],
        })
      }
      renderTools={(field) => <StatisticsButton field={field} search={search} />}
      chosen={chosen}
      isMarked={marks?.has(message) ?? false}
      onMark={marks === undefined ? undefined : () => marks.toggle(message)}
      tab={isAround ? 'around' : tab === 'around' ? 'fields' : tab}
      onTabChange={openTab}
      around={
        index === undefined ? undefined : (
          <Around
            index={index}
            id={id}
            timestamp={message.timestamp}
            fields={message.fields}
            held={values.around ?? heldAtFirst(message.fields)}
            onHold={(around) => change({ around })}
          />
        )
      }
    />
  );
}

/** Nobody knows yet where a followed message is stored; a search will find it. */
function liveLink({ id, timestamp }: LogMessage): string {
  const t = { type: 'absolute', from: timestamp - MINUTE_MS, to: timestamp + MINUTE_MS } as const;
  return `/search${stringifySearch(searchParams.write({ q: `_id:"${id}"`, t }))}`;
}

/** All fields: of rows far down only the columns are loaded. */
function useWhole(row: LogMessage) {
  const isPartial = row.index !== undefined && row.fields[ALWAYS_STORED] === undefined;
  const { data, error } = useQuery({ ...messageQuery(row.index ?? '', row.id), enabled: isPartial });
  const message = data === undefined ? row : { ...fromResult(data), marks: row.marks };
  return { message, error };
}

/** Left and Right choose a value; + - = include it, exclude it, or search for it alone. */
function useChosenValue(
  message: LogMessage,
  favourites: readonly string[],
  actions: SearchState['actions'],
): ChosenValue | undefined {
  const [at, setAt] = useState<number>();
  const choices = detailFieldNames(message, favourites).flatMap((field) =>
    scalarsOf(message.fields[field]).map((value, place) => ({ field, at: place, value })),
  );
  const chosen = at === undefined ? undefined : choices[at];
  const step = (by: number) =>
    setAt(Math.min(choices.length - 1, Math.max(0, at === undefined ? 0 : at + by)));
  const act = (action: 'include' | 'exclude' | 'only') => () =>
    chosen !== undefined && actions[action](chosen.field, chosen.value);
  const group = texts.messages;
  useShortcuts([
    { keys: 'ArrowRight', label: 'Next value', group, run: () => step(1) },
    { keys: 'ArrowLeft', label: 'Previous value', group, run: () => step(-1) },
    { keys: '+', label: 'Include the value', group, run: act('include') },
    { keys: '-', label: 'Exclude the value', group, run: act('exclude') },
    { keys: '=', label: 'Only this value', group, run: act('only') },
  ]);
  return chosen;
}
