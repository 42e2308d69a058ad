import { useDebouncedValue } from '@mantine/hooks';
import type { SimulateRequest } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { JsonTree } from '../../../components/json-tree.tsx';
import type { LogMessage } from '../../../lib/messages/index.ts';
import classes from '../pipelines.module.css';
import { simulationQuery } from '../queries.ts';
import { trialTexts } from '../texts.ts';
import { Trace } from './trace.tsx';
import type { WhatRuns } from './what-runs.ts';

const RUN_AFTER_MS = 300;

export interface SimulatedProps {
  readonly what: WhatRuns | undefined;
  readonly message: LogMessage;
  /** The stream that the message is taken to be in; its own without. */
  readonly streamId: string | undefined;
}

/** What every rule does to the message, a moment after the last key. */
export function Simulated({ what, message, streamId }: SimulatedProps) {
  const request = JSON.stringify({ ...what, ...messageOf(message), stream_id: streamId });
  const [settled] = useDebouncedValue(request, RUN_AFTER_MS);
  const isSettled = settled === request;
  const { data, error, isPlaceholderData } = useQuery({
    ...simulationQuery(JSON.parse(settled) as Partial<SimulateRequest>),
    enabled: what !== undefined && isSettled,
  });
  if (what === undefined) return <p className={classes.quiet}>{trialTexts.waits}</p>;
  if (error !== null && isSettled) return <ErrorNotice error={error} />;
  if (data === undefined) return null;
  const { trace, is_trace_complete, messages, message_count, took_microseconds, errors } = data;
  return (
    <div className={classes.result} aria-busy={isPlaceholderData || !isSettled}>
      <Trace entries={trace} />
      {!is_trace_complete && <p className={classes.quiet}>{trialTexts.traceIsCut}</p>}
      {errors.map((text) => (
        <p key={text} className={classes.failure}>
          {text}
        </p>
      ))}
      <details className={classes.more}>
        <summary>{trialTexts.stored(message_count, took_microseconds)}</summary>
        {messages.map(({ message: fields }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: copies of a message have nothing else that tells them apart
          <JsonTree key={at} value={fields} />
        ))}
      </details>
    </div>
  );
}

function messageOf({ index, id, fields }: LogMessage): Partial<SimulateRequest> {
  return index === undefined ? { message: { ...fields } } : { index, message_id: id };
}
