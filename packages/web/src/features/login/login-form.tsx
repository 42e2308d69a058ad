import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { ApiError, call, isUnauthenticated } from '../../lib/api/index.ts';
import classes from './login.module.css';
import { texts } from './texts.ts';

const TOO_MANY_REQUESTS = 429;

export interface LoginFormProps {
  /** Only this user may come back to the page that is open. */
  readonly username?: string;
  /** What goes wrong in it is said here. */
  readonly onLoggedIn: () => void | Promise<void>;
}

export function LoginForm({ username, onLoggedIn }: LoginFormProps) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (credentials: { username: string; password: string }) =>
      call('POST /system/sessions', { body: { ...credentials, host: '' }, isLoginCheck: true }),
    // The browser says when it is offline; the answer says it better.
    networkMode: 'always',
    onSuccess: onLoggedIn,
  });
  const waitSeconds = useCountdown(error);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    mutate({ username: username ?? String(data.get('username')), password: String(data.get('password')) });
  };

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        name="username"
        label={texts.user}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        readOnly={username !== undefined}
        {...(username === undefined
          ? { autoFocus: true, 'data-autofocus': true }
          : { defaultValue: username })}
      />
      <PasswordInput
        name="password"
        label={texts.password}
        autoComplete="current-password"
        required
        withAsterisk={false}
        // Not `autoFocus`: the dialog has to see first where the focus was, to give it back.
        {...(username === undefined ? {} : { 'data-autofocus': true })}
      />
      <LoginFailure error={error} waitSeconds={waitSeconds} />
      <Button type="submit" variant="filled" loading={isPending} disabled={waitSeconds > 0} fullWidth>
        {texts.logIn}
      </Button>
    </form>
  );
}

function LoginFailure({
  error,
  waitSeconds,
}: {
  readonly error: Error | null;
  readonly waitSeconds: number;
}) {
  if (error === null) return null;
  if (isUnauthenticated(error)) return <InlineNotice kind="danger">{texts.wrong}</InlineNotice>;
  if (error instanceof ApiError) {
    if (error.status === TOO_MANY_REQUESTS && waitSeconds === 0) return null;
    if (error.status === TOO_MANY_REQUESTS) {
      return <InlineNotice kind="warn">{texts.wait(waitSeconds)}</InlineNotice>;
    }
  }
  return <ErrorNotice error={error} />;
}

/** Seconds until the server takes another attempt. */
function useCountdown(error: Error | null): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const isThrottled = error instanceof ApiError && error.status === TOO_MANY_REQUESTS;
    setSeconds(isThrottled ? (error.retryAfterSeconds ?? 1) : 0);
    if (!isThrottled) return;
    const timer = setInterval(() => setSeconds((left) => Math.max(0, left - 1)), 1000);
    return () => clearInterval(timer);
  }, [error]);
  return seconds;
}
