import { Button, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Disabled, missingPermission } from '../../../components/disabled.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { InlineNotice } from '../../../components/inline-notice.tsx';
import { toast } from '../../../components/toast.ts';
import { mayReachAny, usePermissions } from '../../../lib/account/index.ts';
import classes from '../pipelines.module.css';
import { streamTitlesQuery, useConnect } from '../queries.ts';
import { pipelineTexts } from '../texts.ts';
import { type ConnectedStream, useStreamsOf } from './connections.ts';

/** The streams whose messages a pipeline changes. Only those that the user may read are named. */
export function Connections({ pipelineId }: { readonly pipelineId: string }) {
  const connected = useStreamsOf(pipelineId);
  if (connected === undefined) return null;
  const key = connected.map(({ id }) => id).join();
  return <ConnectedStreams key={key} pipelineId={pipelineId} connected={connected} />;
}

interface ConnectedStreamsProps {
  readonly pipelineId: string;
  readonly connected: readonly ConnectedStream[];
}

const MOST_OFFERED = 100;

function ConnectedStreams({ pipelineId, connected }: ConnectedStreamsProps) {
  const permissions = usePermissions();
  const { data: streams = [] } = useQuery(streamTitlesQuery);
  const connect = useConnect(pipelineId);
  const [chosen, setChosen] = useState<readonly string[]>(connected.map(({ id }) => id));
  const mayEdit = (id: string) => permissions.implies('pipeline_connection:edit', id);
  const reason = mayReachAny(permissions, 'pipeline_connection:edit')
    ? undefined
    : missingPermission('pipeline_connection:edit');
  const isChanged = chosen.length !== connected.length || connected.some(({ id }) => !chosen.includes(id));
  const offered = streams.filter(({ id }) => mayEdit(id) || chosen.includes(id));
  const save = () =>
    connect.mutate(chosen, { onSuccess: () => toast(pipelineTexts.connected(chosen.length)) });
  return (
    <section className={classes.section} aria-label={pipelineTexts.connectedStreams}>
      {connected.length === 0 && <InlineNotice kind="warn">{pipelineTexts.doesNothing}</InlineNotice>}
      <div className={classes.connect}>
        <MultiSelect
          label={pipelineTexts.connectedStreams}
          description={pipelineTexts.connectedHelp}
          placeholder={chosen.length === 0 ? pipelineTexts.chooseStreams : undefined}
          data={offered.map(({ id, title }) => ({ value: id, label: title }))}
          limit={MOST_OFFERED}
          searchable
          readOnly={reason !== undefined}
          value={[...chosen]}
          onChange={setChosen}
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
