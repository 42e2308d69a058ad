import { Button } from '@mantine/core';
import { useState } from 'react';
import { Disabled, usePermissionReason } from '../../../components/disabled.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FoundMultiSelect } from '../../../components/found-select.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { LeaveQuestion } from '../../../components/leave-question.tsx';
import { streamSource } from '../../../components/stream-select.tsx';
import { toast } from '../../../components/toast.ts';
import { usePermissions } from '../../../lib/account/index.ts';
import { useStreamTitles } from '../../../lib/streams/index.ts';
import classes from '../pipelines.module.css';
import { type ConnectionChange, useConnect } from '../queries.ts';
import { pipelineTexts } from '../texts.ts';
import { type ConnectedStream, useSeesAllStreams, useStreamsOf } from './connections.ts';

/** The streams whose messages a pipeline changes. Only those that the user may read are named. */
export function Connections({ pipelineId }: { readonly pipelineId: string }) {
  const connected = useStreamsOf(pipelineId);
  if (connected === undefined) return null;
  return <ConnectedStreams pipelineId={pipelineId} connected={connected} />;
}

interface ConnectedStreamsProps {
  readonly pipelineId: string;
  readonly connected: readonly ConnectedStream[];
}

const UNCHANGED: ConnectionChange = { added: [], removed: [] };

function ConnectedStreams({ pipelineId, connected }: ConnectedStreamsProps) {
  const permissions = usePermissions();
  const seesAll = useSeesAllStreams();
  const connect = useConnect(pipelineId);
  const [change, setChange] = useState(UNCHANGED);
  const ids = connected.map(({ id }) => id);
  const chosen = [...new Set([...ids, ...change.added])].filter((id) => !change.removed.includes(id));
  const { titles } = useStreamTitles(chosen);
  const mayEdit = (id: string) => permissions.implies('pipeline_connection:edit', id);
  const reason = usePermissionReason('pipeline_connection:edit');
  const isChanged = change.added.length + change.removed.length > 0;
  const choose = (next: readonly string[]) =>
    setChange({
      added: next.filter((id) => !ids.includes(id)),
      removed: ids.filter((id) => !next.includes(id) && mayEdit(id)),
    });
  const save = () =>
    connect.mutate(change, {
      onSuccess: () => {
        setChange(UNCHANGED);
        toast(pipelineTexts.connected(chosen.length));
      },
    });
  return (
    <section className={classes.section} aria-label={pipelineTexts.connectedStreams}>
      <LeaveQuestion isUnsaved={isChanged && !connect.isPending} what={pipelineTexts.leaveConnections} />
      {connected.length === 0 && (
        <InlineNotice kind="warn">{pipelineTexts.doesNothing(seesAll)}</InlineNotice>
      )}
      <div className={classes.connect}>
        <FoundMultiSelect
          label={pipelineTexts.connectedStreams}
          description={pipelineTexts.connectedHelp}
          placeholder={chosen.length === 0 ? pipelineTexts.chooseStreams : undefined}
          source={streamSource('pipeline_connection:edit')}
          labelOf={(id) => titles[id] ?? id}
          readOnly={reason !== undefined || connect.isPending}
          value={chosen}
          onChange={choose}
        />
        <Disabled reason={reason ?? (isChanged ? undefined : pipelineTexts.chooseFirst)}>
          <Button loading={connect.isPending} onClick={save}>
            {pipelineTexts.connect}
          </Button>
        </Disabled>
      </div>
      {connect.error !== null && <ErrorNotice error={connect.error} />}
    </section>
  );
}
