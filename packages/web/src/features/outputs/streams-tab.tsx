import { Button } from '@mantine/core';
import type { OutputStreams } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Disabled, missingPermission, usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { StreamSelect } from '../../components/stream-select.tsx';
import { TitleLink } from '../../components/title-link.tsx';
import { useCan } from '../../lib/account/index.ts';
import { useAttach, useDetach } from '../../lib/outputs/index.ts';
import type { ListedOutput } from './listed-outputs.ts';
import classes from './outputs.module.css';
import { outputStreamsQuery, useSeesAllStreams } from './queries.ts';
import { tabTexts, texts } from './texts.ts';

type UsedBy = OutputStreams['streams'][string][number];

/** Which streams use it. */
export function StreamsTab({ row: { output, streams } }: { readonly row: ListedOutput }) {
  const [asking, setAsking] = useState<string>();
  const mayRead = useCan('stream_outputs:read');
  const seesAll = useSeesAllStreams();
  const { error, refetch } = useQuery(outputStreamsQuery);
  if (!mayRead) return <InlineNotice kind="info">{missingPermission('stream_outputs:read')}</InlineNotice>;
  if (streams === undefined) {
    return error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <p className={classes.quiet}>{tabTexts.streamsAbout}</p>
      {streams.length === 0 ? (
        <EmptyState title={seesAll ? tabTexts.noStreams : tabTexts.noReadableStreams}>
          {tabTexts.noStreamsWhy}
        </EmptyState>
      ) : (
        <DataTable
          label={tabTexts.streams}
          rows={streams}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'stream',
              title: tabTexts.stream,
              render: ({ id, title }) => <TitleLink to="/streams/$id/outputs" id={id} title={title} />,
            },
            {
              key: 'actions',
              title: texts.columns.actions,
              width: '96px',
              isActions: true,
              render: ({ id }) => <DetachButton streamId={id} onClick={() => setAsking(id)} />,
            },
          ]}
          below={(stream) =>
            stream.id === asking && (
              <DetachQuestion outputId={output.id} stream={stream} onCancel={() => setAsking(undefined)} />
            )
          }
        />
      )}
      <AttachStream outputId={output.id} attached={streams} />
    </>
  );
}

function DetachButton({ streamId, onClick }: { readonly streamId: string; readonly onClick: () => void }) {
  const editReason = usePermissionReason('streams:edit', streamId, tabTexts.thisStream);
  const detachReason = usePermissionReason('stream_outputs:delete');
  return (
    <Disabled reason={editReason ?? detachReason}>
      <Button onClick={onClick}>{tabTexts.detach}</Button>
    </Disabled>
  );
}

interface DetachQuestionProps {
  readonly outputId: string;
  readonly stream: UsedBy;
  readonly onCancel: () => void;
}

function DetachQuestion({ outputId, stream, onCancel }: DetachQuestionProps) {
  const detach = useDetach(stream.id);
  return (
    <>
      <ConfirmInline
        question={tabTexts.detachQuestion(stream.title)}
        action={tabTexts.detach}
        isBusy={detach.isPending}
        onConfirm={() => detach.mutate(outputId, { onSuccess: onCancel })}
        onCancel={onCancel}
      />
      {detach.error !== null && <ErrorNotice error={detach.error} />}
    </>
  );
}

interface AttachStreamProps {
  readonly outputId: string;
  readonly attached: readonly UsedBy[];
}

function AttachStream({ outputId, attached }: AttachStreamProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const reason = usePermissionReason('stream_outputs:create');
  const attach = useAttach(chosen ?? '');
  return (
    <section className={classes.section} aria-label={tabTexts.attachLabel}>
      <div className={classes.attach}>
        <StreamSelect
          label={tabTexts.attachLabel}
          placeholder={tabTexts.attachHint}
          needs="streams:edit"
          without={attached.map(({ id }) => id)}
          value={chosen}
          onChange={setChosen}
        />
        <Disabled reason={reason}>
          <Button
            disabled={chosen === null}
            loading={attach.isPending}
            onClick={() => attach.mutate(outputId, { onSuccess: () => setChosen(null) })}
          >
            {tabTexts.attach}
          </Button>
        </Disabled>
      </div>
      {attach.error !== null && <ErrorNotice error={attach.error} />}
    </section>
  );
}
