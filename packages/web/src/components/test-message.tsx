import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../lib/api/index.ts';
import { formatCount } from '../lib/format/index.ts';
import { type Arrival, sentMessageQuery } from '../lib/inputs/index.ts';
import { Disabled, usePermissionReason } from './disabled.tsx';
import { ErrorNotice } from './error-notice.tsx';
import classes from './test-message.module.css';

export interface TestMessageProps {
  readonly inputId: string;
  /** "Send a test message". */
  readonly label: string;
  /** Why nothing can be sent now; nothing when it can. */
  readonly noSendReason?: string | undefined;
  readonly onSent?: () => void;
}

/** Sends a message to an input through its socket, and says when it can be found. */
export function TestMessage({ inputId, label, noSendReason, onSent }: TestMessageProps) {
  const reason = usePermissionReason('inputs:edit', inputId, 'this input') ?? noSendReason;
  const send = useMutation({
    mutationFn: async () => {
      const startedAt = Date.now();
      const { query } = await call('POST /system/inputs/{inputId}/test_message', { path: { inputId } });
      return { query, startedAt };
    },
    onSuccess: () => onSent?.(),
  });
  const { data: arrival, error: searchError } = useQuery(sentMessageQuery(send.data));
  return (
    <div className={classes.line}>
      <Disabled reason={reason}>
        <Button leftSection={<IconSend size={16} />} loading={send.isPending} onClick={() => send.mutate()}>
          {label}
        </Button>
      </Disabled>
      <span role="status">{send.data !== undefined && sentence(arrival)}</span>
      {send.data !== undefined && typeof arrival === 'number' && (
        <Link to="/search" search={{ q: send.data.query, t: '1h' }}>
          Show it
        </Link>
      )}
      {send.error !== null && <ErrorNotice error={send.error} />}
      {searchError !== null && <ErrorNotice error={searchError} />}
    </div>
  );
}

function sentence(arrival: Arrival | undefined): string {
  if (typeof arrival === 'number') return `Arrived after ${formatCount(arrival)} ms.`;
  if (arrival !== 'not found') return 'Sent. It is on its way.';
  return 'Sent, and not found within a minute. A rule may have dropped it, it may be in a stream that you may not read, or the node may be behind with its messages.';
}
