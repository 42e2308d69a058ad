import { Button } from '@mantine/core';
import type { SystemJob } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Failed } from '../../components/failed.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { StateTone } from '../../lib/states/index.ts';
import { NodeLink } from './node-link.tsx';
import { jobsQuery, useCancelJob } from './queries.ts';
import classes from './system.module.css';
import { texts as common, jobTexts as texts } from './texts.ts';

export function JobsPart() {
  const { data, error, refetch } = useQuery(jobsQuery);
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.silent > 0 && (
        <InlineNotice kind="warn">{texts.silent(data.silent)}</InlineNotice>
      )}
      {data !== undefined && data.jobs.length > 0 && (
        <DataTable label={common.parts.jobs} columns={COLUMNS} rows={data.jobs} rowKey={({ id }) => id} />
      )}
      {data?.jobs.length === 0 && <EmptyState title={texts.none}>{texts.noneWhy}</EmptyState>}
    </>
  );
}

const TONES: Readonly<Record<SystemJob['job_status'], StateTone>> = {
  running: 'info',
  complete: 'ok',
  cancelled: 'dim',
  error: 'danger',
};

const COLUMNS: readonly Column<SystemJob>[] = [
  {
    key: 'job',
    title: texts.job,
    render: ({ description, name, info }) => (
      <>
        <strong>{description === '' ? name : description}</strong>
        <div className={classes.quiet}>{info}</div>
      </>
    ),
  },
  {
    key: 'state',
    title: common.state,
    width: '104px',
    render: ({ job_status }) => <StateBadge tone={TONES[job_status]}>{job_status}</StateBadge>,
  },
  {
    key: 'progress',
    title: texts.progress,
    align: 'end',
    width: '88px',
    render: ({ provides_progress, percent_complete }) =>
      provides_progress ? texts.percent(percent_complete) : '',
  },
  {
    key: 'started',
    title: texts.started,
    width: '104px',
    isMinor: true,
    render: ({ started_at }) => <Timestamp value={started_at} show="age" />,
  },
  {
    key: 'node',
    title: common.node,
    width: '104px',
    isMinor: true,
    render: ({ node_id }) => <NodeLink nodeId={node_id} />,
  },
  { key: 'actions', title: common.actions, isActions: true, render: (job) => <CancelButton job={job} /> },
];

function CancelButton({ job }: { readonly job: SystemJob }) {
  const cancel = useCancelJob();
  const missing = usePermissionReason('systemjobs:delete', job.id, texts.thisJob);
  if (job.job_status !== 'running') return null;
  return (
    <>
      {cancel.error !== null && <Failed error={cancel.error} />}
      <Disabled reason={job.is_cancelable ? missing : texts.cancelNo}>
        <Button loading={cancel.isPending} onClick={() => cancel.mutate(job.id)}>
          {texts.cancel}
        </Button>
      </Disabled>
    </>
  );
}
