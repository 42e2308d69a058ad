import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { levelName } from '../../components/level-label.tsx';
import { ValueBars } from '../../components/value-bars.tsx';
import { addClause, excludeValue, includeValue, requireField } from '../../lib/edit-query/index.ts';
import classes from './patterns.module.css';
import { fieldsQuery, groupsQuery } from './queries.ts';
import { useEntityTitles } from './use-entity-titles.ts';
import type { SearchState } from './use-search.ts';

/** How the API names the group of messages without the field. */
const WITHOUT = '(Empty Value)';

/** The messages counted by the values of one field. */
export function GroupView({ search }: { readonly search: SearchState }) {
  const { values, run, change, commit } = search;
  const by = values.group[0] ?? 'source';
  const titleOf = useEntityTitles();
  const { data: fields } = useQuery(fieldsQuery);
  const { data, error, refetch, isPlaceholderData } = useQuery(groupsQuery(run, by));
  const names = useMemo(() => [...new Set([by, ...(fields ?? []).map(({ name }) => name)])], [fields, by]);
  const rows = (data?.datarows ?? []).map(([value, count]) => ({
    value: String(value),
    count: Number(count),
    label: labelOf(by, String(value), titleOf),
  }));
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const { q } = values;
  const include = (value: string) =>
    value === WITHOUT ? addClause(q, `NOT ${requireField('*', by)}`) : includeValue(q, by, value);
  const exclude = (value: string) => (value === WITHOUT ? requireField(q, by) : excludeValue(q, by, value));
  return (
    <section
      className={`${classes.view} ${classes.group}`}
      data-stale={isPlaceholderData}
      aria-label="Groups"
    >
      <div className={classes.by}>
        <Select
          aria-label="Group by"
          leftSectionWidth={72}
          leftSection={<span>Group by</span>}
          data={names}
          value={by}
          searchable
          limit={100}
          onChange={(by) => by !== null && change({ group: [by] })}
        />
      </div>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && rows.length === 0 && (
        <EmptyState title="No message matches, so there are no groups" />
      )}
      <ValueBars
        values={rows}
        total={total}
        hasCounts
        onChoose={(value) => commit({ q: include(value), view: 'messages' })}
        onExclude={(value) => commit({ q: exclude(value) })}
      />
    </section>
  );
}

function labelOf(field: string, value: string, titleOf: ReturnType<typeof useEntityTitles>): string {
  if (value === WITHOUT) return 'Without the field';
  return (field === 'level' ? levelName(value) : titleOf(field, value)) ?? value;
}
