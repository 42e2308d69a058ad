import { Button } from '@mantine/core';
import type { Input } from '@millrace/contract';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Disabled, missingPermission } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useCan } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import { messageCountQuery, sentMessageQuery } from './queries.ts';
import { texts } from './texts.ts';
import classes from './welcome.module.css';

/** Sends a message to the input through its socket, and says when it can be found. */
export function SendForMe({ input }: { readonly input: Pick<Input, 'id'> }) {
  const client = useQueryClient();
  const mayEdit = useCan('inputs:edit', input.id);
  const send = useMutation({
    mutationFn: async () => {
      const startedAt = Date.now();
      const { query } = await call('POST /system/inputs/{inputId}/test_message', {
        path: { inputId: input.id },
      });
      return { query, startedAt };
    },
    onSuccess: () => client.invalidateQueries({ queryKey: messageCountQuery.queryKey }),
  });
  const { data: tookMs } = useQuery(sentMessageQuery(send.data));
  return (
    <div className={classes.sendForMe}>
      <Disabled reason={mayEdit ? undefined : missingPermission('inputs:edit')}>
        <Button leftSection={<IconSend size={16} />} loading={send.isPending} onClick={() => send.mutate()}>
          {texts.sendForMe}
        </Button>
      </Disabled>
      <span role="status">
        {send.data !== undefined && (tookMs === undefined ? texts.onItsWay : texts.arrived(tookMs))}
      </span>
      {send.data !== undefined && tookMs !== undefined && (
        <Link to="/search" search={{ q: send.data.query, t: '1h' }}>
          {texts.showIt}
        </Link>
      )}
      {send.error !== null && <ErrorNotice error={send.error} />}
    </div>
  );
}
