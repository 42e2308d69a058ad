import type { PipelineView } from '@millrace/contract';
import { IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Column } from '../../../components/data-table.tsx';
import { NewButton } from '../../../components/new-button.tsx';
import { NothingYet } from '../../../components/nothing-yet.tsx';
import { StateBadge } from '../../../components/state-badge.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { TitleLink } from '../../../components/title-link.tsx';
import { DeleteButton } from '../delete-button.tsx';
import { PagedList, usePagedList } from '../paged-list.tsx';
import classes from '../pipelines.module.css';
import { pipelinePageQuery } from '../queries.ts';
import { Section } from '../section.tsx';
import { pipelineTexts, texts } from '../texts.ts';
import { useSeesAllStreams, useStreamsOf } from './connections.ts';
import { DeletePipelineQuestion } from './delete-pipeline.tsx';

export function PipelinesPage() {
  const actions = (
    <NewButton
      label={pipelineTexts.newPipeline}
      group={pipelineTexts.title}
      to="/pipelines/new"
      permission="pipeline:create"
    />
  );
  return (
    <Section section="pipelines" actions={actions}>
      <Pipelines />
    </Section>
  );
}

function Pipelines() {
  const navigate = useNavigate();
  const list = usePagedList('/pipelines');
  const result = useQuery(pipelinePageQuery(list.values));
  const [asking, setAsking] = useState<string>();
  const close = () => setAsking(undefined);
  return (
    <PagedList
      texts={pipelineTexts}
      list={list}
      result={result}
      rows={result.data?.pipelines}
      total={result.data?.total}
      columns={columnsOf((id) => setAsking(id))}
      rowKey={({ id }) => id ?? ''}
      onOpen={({ id }) => void navigate({ to: '/pipelines/$id', params: { id: id ?? '' } })}
      below={(pipeline) =>
        asking === pipeline.id && (
          <DeletePipelineQuestion pipeline={pipeline} onDone={close} onCancel={close} />
        )
      }
      empty={
        <NothingYet
          icon={<IconRoute size={20} />}
          texts={pipelineTexts}
          to="/pipelines/new"
          label={pipelineTexts.newPipeline}
          permission="pipeline:create"
        />
      }
    />
  );
}

function columnsOf(onDelete: (id: string) => void): readonly Column<PipelineView>[] {
  return [
    {
      key: 'title',
      title: texts.columns.title,
      isSortable: true,
      render: (pipeline) => <PipelineTitle pipeline={pipeline} />,
    },
    {
      key: 'stages',
      title: texts.columns.stages,
      width: '144px',
      isMinor: true,
      render: ({ stages }) => (
        <span className={classes.quiet}>
          {pipelineTexts.size(
            stages.length,
            stages.reduce((sum, { rules }) => sum + rules.length, 0),
          )}
        </span>
      ),
    },
    {
      key: 'streams',
      title: texts.columns.streams,
      width: '240px',
      render: ({ id }) => <StreamNames pipelineId={id ?? ''} />,
    },
    {
      key: 'modified_at',
      title: texts.columns.modified,
      width: '112px',
      isMinor: true,
      isSortable: true,
      render: ({ modified_at: at }) => at !== null && <Timestamp value={at} show="age" />,
    },
    {
      key: 'actions',
      title: texts.columns.actions,
      width: '72px',
      isActions: true,
      render: ({ id, title }) => (
        <DeleteButton
          permission="pipeline:delete"
          id={id ?? ''}
          label={texts.deleteOne(title)}
          forWhat={pipelineTexts.thisPipeline}
          onClick={() => onDelete(id ?? '')}
        />
      ),
    },
  ];
}

function PipelineTitle({ pipeline }: { readonly pipeline: PipelineView }) {
  const { id, title, description, errors } = pipeline;
  return (
    <>
      <TitleLink to="/pipelines/$id" id={id ?? ''} title={title} />
      {description !== '' && <div className={classes.description}>{description}</div>}
      {errors !== null && (
        <div className={classes.problem}>
          <StateBadge tone="danger">{pipelineTexts.broken}</StateBadge> {errors[0]?.reason}
        </div>
      )}
    </>
  );
}

function StreamNames({ pipelineId }: { readonly pipelineId: string }) {
  const seesAll = useSeesAllStreams();
  const streams = useStreamsOf(pipelineId);
  if (streams === undefined) return null;
  if (streams.length === 0)
    return <span className={classes.quiet}>{pipelineTexts.notConnected(seesAll)}</span>;
  return <span className={classes.clip}>{pipelineTexts.streams(streams.map(({ title }) => title))}</span>;
}
