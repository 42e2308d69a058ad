import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { toast } from '../../components/toast.ts';
import { usePermissions } from '../../lib/account/index.ts';
import type { ListedNode } from '../../lib/nodes/index.ts';
import { LOG_LEVELS } from './log-levels.ts';
import classes from './overview.module.css';
import { logLevelsQuery, useSetLogLevel } from './queries.ts';
import { nodeTexts as texts } from './texts.ts';

interface Part {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly level: string;
}

/** How much each part of the node writes to its log. */
export function LevelsTab({ node }: { readonly node: ListedNode }) {
  const { data, error, refetch } = useQuery(logLevelsQuery);
  const set = useSetLogLevel(node.id);
  const permissions = usePermissions();
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const parts = Object.entries(data[node.id]?.subsystems ?? {}).map(([name, part]) => ({ name, ...part }));
  if (parts.length === 0) return <EmptyState title={missingPermission('loggers:readsubsystem')} />;
  const change = (part: Part, level: string) =>
    set.mutate(
      { subsystem: part.name, level },
      { onSuccess: () => toast(texts.levelSet(part.title, level)) },
    );
  const columns: readonly Column<Part>[] = [
    {
      key: 'part',
      title: texts.part,
      render: ({ title, description }) => (
        <>
          <strong>{title}</strong>
          <span className={classes.id}>{description}</span>
        </>
      ),
    },
    {
      key: 'level',
      title: texts.level,
      width: '160px',
      render: (part) => {
        const mayEdit = permissions.implies('loggers:editsubsystem', part.name);
        return (
          <Select
            aria-label={texts.levelOf(part.title)}
            title={mayEdit ? undefined : missingPermission('loggers:editsubsystem')}
            data={LOG_LEVELS}
            value={part.level}
            allowDeselect={false}
            readOnly={!mayEdit}
            onChange={(level) => level !== null && level !== part.level && change(part, level)}
          />
        );
      },
    },
  ];
  return (
    <>
      <p className={classes.help}>{texts.levelsAbout}</p>
      {set.error !== null && <ErrorNotice error={set.error} />}
      <DataTable label={texts.levels} columns={columns} rows={parts} rowKey={({ name }) => name} />
    </>
  );
}
