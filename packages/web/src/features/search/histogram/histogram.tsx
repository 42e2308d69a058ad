import { ActionIcon, Button, Select, Tooltip } from '@mantine/core';
import { IconChartBar, IconHistory, IconTable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import type { HistogramGroup } from '../../../components/histogram/histogram-data.ts';
import { LEVEL_GROUPS } from '../../../components/histogram/level-groups.ts';
import { LevelHistogram } from '../../../components/histogram/level-histogram.tsx';
import { addClause, includeValue, requireField } from '../../../lib/edit-query/index.ts';
import { countOf } from '../../../lib/format/index.ts';
import type { TimeSpan } from '../../../lib/time/index.ts';
import { fieldsQuery } from '../queries.ts';
import classes from '../search.module.css';
import { useEntityTitles } from '../use-entity-titles.ts';
import type { SearchState } from '../use-search.ts';
import { useVisibleSpan } from '../visible-span.ts';
import { formatChange, histogramData, totalsOf, WITHOUT } from './groups.ts';
import own from './histogram.module.css';
import { histogramQuery, runBefore } from './queries.ts';

/** When the messages came, in colours; and how much that differs from the period before. */
export function Histogram({ search }: { readonly search: SearchState }) {
  'use memo';
  const { run, values } = search;
  const { by, cmp } = values;
  const visible = useVisibleSpan();
  const [isTable, setTable] = useState(false);
  const zoom = useZoom(search);
  const isCompared = cmp === 'prev';
  const { data, error, isPlaceholderData, refetch } = useQuery(histogramQuery(run, by));
  const titleOf = useEntityTitles(data?.by ?? '', data?.answer.groups.map(({ key }) => key) ?? []);
  const before = useQuery({
    ...histogramQuery(run === undefined ? undefined : runBefore(run), 'none'),
    enabled: isCompared && run !== undefined,
  });
  const shown = useMemo(
    () => data && histogramData(data.answer, data.by, (value) => titleOf(data.by, value) ?? value),
    [data, titleOf],
  );
  if (error !== null) {
    return (
      <div className={classes.notice}>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  // What is left of the search before says nothing about this one.
  const isForeign = isPlaceholderData && search.isStopped;
  if (data === undefined || shown === undefined || isForeign)
    return <div className={classes.histogramSpace} />;
  const earlier = isCompared ? before.data?.answer : undefined;
  return (
    <LevelHistogram
      data={shown}
      span={data.span}
      before={earlier === undefined ? undefined : totalsOf(earlier)}
      visible={values.view === 'messages' ? visible : undefined}
      isStale={isPlaceholderData}
      isTable={isTable}
      onZoom={zoom.into}
      onZoomBack={zoom.back}
      onChoose={(group) => search.commit(({ q }) => ({ q: narrowedTo(q, data.by, group) }))}
      summary={
        earlier !== undefined && (
          <span className={own.change}>
            <strong>{formatChange(data.answer.total, earlier.total)}</strong> against before (
            {countOf(earlier.total, 'message')})
          </span>
        )
      }
      controls={<Controls search={search} isTable={isTable} onTable={setTable} />}
    />
  );
}

/** A zoom can be taken back with Esc, until something else was searched. */
function useZoom({ commit, values }: SearchState) {
  const zooms = useRef({ query: values.q, count: 0 });
  if (zooms.current.query !== values.q) zooms.current = { query: values.q, count: 0 };
  return {
    into: (span: TimeSpan) => {
      zooms.current.count += 1;
      commit({ t: { type: 'absolute', ...span }, at: 0 });
    },
    back: () => {
      if (zooms.current.count === 0) return;
      zooms.current.count -= 1;
      history.back();
    },
  };
}

/** The query for one colour alone. */
function narrowedTo(query: string, by: string, { key, colour }: HistogramGroup): string {
  if (key === WITHOUT) return addClause(query, `NOT ${requireField('*', by)}`);
  if (key.startsWith('=')) return includeValue(query, by, key.slice(1));
  const levels = LEVEL_GROUPS.find(({ name }) => name === colour)?.levels ?? [];
  const [first] = levels;
  if (first === undefined) return query;
  return levels.length === 1
    ? includeValue(query, 'level', first)
    : addClause(query, `level:(${levels.join(' OR ')})`);
}

interface ControlsProps {
  readonly search: SearchState;
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
}

function Controls({ search, isTable, onTable }: ControlsProps) {
  const { values, change } = search;
  const { data: fields } = useQuery(fieldsQuery);
  const names = useMemo(
    () => [...new Set(['level', 'source', 'streams', values.by, ...(fields ?? []).map(({ name }) => name)])],
    [fields, values.by],
  );
  const isCompared = values.cmp === 'prev';
  const tableLabel = isTable ? 'Show as bars' : 'Show as a table';
  return (
    <div className={own.controls}>
      <Select
        className={own.by}
        size="xs"
        aria-label="Colours of the histogram"
        data={[
          { value: 'none', label: 'one colour' },
          ...names.filter((name) => name !== 'none').map((name) => ({ value: name, label: `by ${name}` })),
        ]}
        value={values.by}
        searchable
        limit={100}
        allowDeselect={false}
        onChange={(by) => by !== null && change({ by })}
      />
      <Tooltip label="Compare with the period before">
        <Button
          size="compact-xs"
          variant={isCompared ? 'light' : 'default'}
          aria-pressed={isCompared}
          leftSection={<IconHistory size={14} />}
          onClick={() => change({ cmp: isCompared ? '' : 'prev' })}
        >
          Compare
        </Button>
      </Tooltip>
      <Tooltip label={tableLabel}>
        <ActionIcon
          size={24}
          aria-label={tableLabel}
          aria-pressed={isTable}
          onClick={() => onTable(!isTable)}
        >
          {isTable ? <IconChartBar size={14} /> : <IconTable size={14} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
