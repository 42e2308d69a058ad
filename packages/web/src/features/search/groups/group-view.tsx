import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { TimeChart } from '../../../components/time-chart/time-chart.tsx';
import { addClause, excludeValue, includeValue, requireField } from '../../../lib/edit-query/index.ts';
import { saveFile } from '../../../lib/save-file.ts';
import type { SearchState } from '../use-search.ts';
import { csvOf } from './csv.ts';
import { GroupFields, GroupMetrics } from './group-controls.tsx';
import { GroupTable } from './group-table.tsx';
import classes from './groups.module.css';
import { metricTitle, parseMetric } from './metrics.ts';
import { OverTime } from './over-time.tsx';
import { type GroupRow, groupsQuery } from './queries.ts';
import { useLabels, WITHOUT } from './use-labels.ts';

const CHARTED_ROWS = 30;

/** The messages counted by the values of up to three fields. */
export function GroupView({ search }: { readonly search: SearchState }) {
  const { values, run, change, commit } = search;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    groupsQuery(run, values.group, values.metrics),
  );
  const fields = data?.fields ?? values.group;
  const metrics = (data?.metrics ?? values.metrics).map(parseMetric);
  const rows = data?.rows ?? [];
  const labelOf = useLabels(rows.flatMap((row) => row.values.filter((_, at) => fields[at] === 'streams')));
  const narrowed = (q: string, row: GroupRow) =>
    fields.reduce((query, field, at) => included(query, field, row.values[at] ?? ''), q);
  const download = () => {
    const head = [...fields, ...metrics.map(metricTitle)];
    const lines = rows.map((row) => [...row.values, ...row.figures]);
    saveFile('groups.csv', csvOf(head, lines), 'text/csv');
  };
  return (
    <section className={classes.view} data-stale={isPlaceholderData} aria-label="Groups">
      <div className={classes.controls}>
        <GroupFields fields={values.group} onChange={(group) => change({ group })} />
        <GroupMetrics metrics={values.metrics} onChange={(next) => change({ metrics: next })} />
        <SegmentedControl
          aria-label="Chart"
          data={[
            { value: 'bars', label: 'Groups' },
            { value: 'time', label: 'Over time' },
          ]}
          value={values.chart}
          onChange={(chart) => change({ chart: chart as 'bars' | 'time' })}
        />
        <Button
          size="xs"
          leftSection={<IconDownload size={14} />}
          disabled={rows.length === 0}
          onClick={download}
        >
          CSV
        </Button>
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && rows.length === 0 && (
        <EmptyState title="No message matches, so there are no groups" />
      )}
      {rows.length > 0 &&
        (values.chart === 'time' ? (
          <OverTime
            search={search}
            field={fields[0] ?? 'source'}
            metric={metrics[0] ?? parseMetric('count')}
          />
        ) : (
          <TimeChart
            kind="bar"
            title={`${metricTitle(metrics[0] ?? parseMetric('count'))} by ${fields.join(', ')}`}
            categories={rows
              .slice(0, CHARTED_ROWS)
              .map((row) => row.values.map((value, at) => labelOf(fields[at] ?? '', value)).join(', '))}
            series={metrics.slice(0, 1).map((metric) => ({
              name: metricTitle(metric),
              values: rows.slice(0, CHARTED_ROWS).map(({ figures }) => figures[0] ?? 0),
            }))}
          />
        ))}
      {rows.length > 0 && (
        <GroupTable
          fields={fields}
          metrics={metrics}
          rows={rows}
          labelOf={labelOf}
          onInclude={(row) => commit(({ q }) => ({ q: narrowed(q, row), view: 'messages' }))}
          onExclude={(row) => commit(({ q }) => ({ q: excluded(q, fields, row) }))}
        />
      )}
    </section>
  );
}

function included(query: string, field: string, value: string): string {
  return value === WITHOUT
    ? addClause(query, `NOT ${requireField('*', field)}`)
    : includeValue(query, field, value);
}

/** A combination of several values is excluded as one. */
function excluded(query: string, fields: readonly string[], row: GroupRow): string {
  const [field = '', ...more] = fields;
  const [value = ''] = row.values;
  if (more.length === 0) {
    return value === WITHOUT ? requireField(query, field) : excludeValue(query, field, value);
  }
  const together = fields.reduce((text, name, at) => included(text, name, row.values[at] ?? ''), '*');
  return addClause(query, `NOT (${together})`);
}
