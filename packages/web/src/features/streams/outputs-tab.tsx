import { Button } from '@mantine/core';
import type { Output, OutputStateView, Stream } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FoundSelect } from '../../components/found-select.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { Rate } from '../../components/rate.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { useCan } from '../../lib/account/index.ts';
import { sentence } from '../../lib/format/index.ts';
import {
  attachedQuery,
  combinedOutputState,
  outputCountQuery,
  outputSource,
  outputStatesQuery,
  outputTitleQuery,
  useAttach,
  useDetach,
} from '../../lib/outputs/index.ts';
import { outputTexts as texts } from './alert-texts.ts';
import { NewOutput } from './new-output.tsx';
import { usePermissionReason } from './stream-parts.tsx';
import classes from './tabs.module.css';

/** Where the messages of the stream are sent, how that goes, and what else they could be sent to. */
export function OutputsTab({ stream }: { readonly stream: Stream }) {
  const mayRead = useCan('stream_outputs:read');
  const maySeeStates = useCan('outputs:read');
  const { data: attached, error, refetch } = useQuery({ ...attachedQuery(stream.id), enabled: mayRead });
  const { data: states } = useQuery({ ...outputStatesQuery, enabled: maySeeStates });
  if (!mayRead) return <InlineNotice kind="info">{missingPermission('stream_outputs:read')}</InlineNotice>;
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (attached === undefined) return null;
  return (
    <>
      <p className={classes.dim}>{texts.about}</p>
      {attached.length === 0 && <EmptyState title={texts.none}>{texts.noneWhy}</EmptyState>}
      <ul className={classes.list}>
        {attached.map((output) => (
          <OutputRow
            key={output.id}
            stream={stream}
            output={output}
            states={states?.states.filter(({ id }) => id === output.id) ?? []}
          />
        ))}
      </ul>
      {(states?.missing_nodes.length ?? 0) > 0 && (
        <InlineNotice kind="warn">{texts.missingNodes(states?.missing_nodes.length ?? 0)}</InlineNotice>
      )}
      {maySeeStates && <Attach stream={stream} attached={attached} />}
    </>
  );
}

interface OutputRowProps {
  readonly stream: Stream;
  readonly output: Output;
  /** On each node. */
  readonly states: readonly OutputStateView[];
}

function OutputRow({ stream, output, states }: OutputRowProps) {
  const [isAsking, setAsking] = useState(false);
  const detach = useDetach(stream.id);
  const editReason = usePermissionReason('streams:edit', stream.id);
  const detachReason = usePermissionReason('stream_outputs:delete');
  const { tone, word, why, queued, bytes, perSecond, dropped, refused } = combinedOutputState(states);
  const lost = texts.lost(dropped, refused);
  return (
    <li className={classes.row}>
      <StateBadge tone={tone}>{word}</StateBadge>
      <div className={classes.main}>
        <OutputTitle output={output} />
        <p className={classes.dim}>
          {states.length > 0 && (
            <>
              <Rate perSecond={perSecond} />, {texts.queue(queued, bytes)}
              {lost !== '' && `, ${lost}`}
            </>
          )}
        </p>
        {why !== undefined && <InlineNotice kind="warn">{sentence(why)}</InlineNotice>}
        {detach.error !== null && <ErrorNotice error={detach.error} />}
        {isAsking && (
          <ConfirmInline
            question={texts.detachQuestion(output.title)}
            action={texts.detach}
            isBusy={detach.isPending}
            onConfirm={() => detach.mutate(output.id)}
            onCancel={() => setAsking(false)}
          />
        )}
      </div>
      <div className={classes.actions}>
        <Disabled reason={editReason ?? detachReason}>
          <Button size="xs" onClick={() => setAsking(true)}>
            {texts.detach}
          </Button>
        </Disabled>
      </div>
    </li>
  );
}

interface AttachProps {
  readonly stream: Stream;
  readonly attached: readonly Output[];
}

/** One that is there already, or a new one. */
function Attach({ stream, attached }: AttachProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [isCreating, setCreating] = useState(false);
  const { data: all } = useQuery(outputCountQuery);
  const { data: output } = useQuery({ ...outputTitleQuery(chosen ?? ''), enabled: chosen !== null });
  const attach = useAttach(stream.id);
  const editReason = usePermissionReason('streams:edit', stream.id);
  const attachReason = usePermissionReason('stream_outputs:create');
  const createReason = usePermissionReason('outputs:create');
  const reason = editReason ?? attachReason;
  if (isCreating) return <NewOutput stream={stream} onDone={() => setCreating(false)} />;
  const hasOthers = all !== undefined && all > attached.length;
  return (
    <section className={classes.section} aria-label={texts.attachLabel}>
      <div className={classes.attach}>
        <FoundSelect
          label={texts.attachLabel}
          placeholder={hasOthers ? undefined : all === 0 ? texts.noOutputs : texts.allAttached}
          disabled={!hasOthers}
          source={outputSource}
          without={attached.map(({ id }) => id)}
          value={chosen}
          valueLabel={output}
          onChange={setChosen}
        />
        <Disabled reason={reason}>
          <Button
            disabled={chosen === null}
            loading={attach.isPending}
            onClick={() => chosen !== null && attach.mutate(chosen, { onSuccess: () => setChosen(null) })}
          >
            {texts.attach}
          </Button>
        </Disabled>
        <Disabled reason={reason ?? createReason}>
          <Button onClick={() => setCreating(true)}>{texts.newOutput}</Button>
        </Disabled>
      </div>
      {attach.error !== null && <ErrorNotice error={attach.error} />}
    </section>
  );
}

/** Leads to the page of the output, for those who may see it. */
function OutputTitle({ output }: { readonly output: Output }) {
  const maySee = useCan('outputs:read', output.id);
  if (!maySee) return <strong>{output.title}</strong>;
  return (
    <Link to="/outputs/$id" params={{ id: output.id }} className={classes.outputTitle}>
      <bdi>{output.title}</bdi>
    </Link>
  );
}
