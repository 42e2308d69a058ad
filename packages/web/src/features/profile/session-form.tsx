import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { SessionTimeoutField } from '../../components/session-timeout-field.tsx';
import {
  meQuery,
  type SessionTimeout,
  sessionTimeoutOf,
  timeoutMs,
  timeoutProblem,
  useMe,
} from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import classes from './profile.module.css';
import { texts } from './texts.ts';

/** After how long without any use the own sessions end. */
export function SessionForm() {
  const { username, read_only: isFromConfiguration, session_timeout_ms: stored } = useMe();
  const client = useQueryClient();
  const [typed, setTyped] = useState<SessionTimeout>();
  const change = useMutation({
    mutationFn: (ms: number) =>
      call('PUT /users/{username}', { path: { username }, body: { session_timeout_ms: ms } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      setTyped(undefined);
    },
  });
  const wanted = typed && timeoutMs(typed);
  const problem = typed && timeoutProblem(typed);
  const isReady = wanted !== undefined && wanted !== stored && problem === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) change.mutate(wanted);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <SessionTimeoutField
        description={isFromConfiguration ? texts.sessionFromConfiguration : texts.sessionHelp}
        value={typed ?? sessionTimeoutOf(stored)}
        error={problem}
        isReadOnly={isFromConfiguration || change.isPending}
        onChange={setTyped}
      />
      {change.error !== null && <ErrorNotice error={change.error} />}
      {change.isSuccess && typed === undefined && <InlineNotice kind="ok">{texts.saved}</InlineNotice>}
      {!isFromConfiguration && (
        <Button type="submit" variant="filled" disabled={!isReady} loading={change.isPending}>
          {texts.saveSession}
        </Button>
      )}
    </form>
  );
}
