import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { useCan, useMe } from '../../lib/account/index.ts';
import { call } from '../../lib/api/index.ts';
import classes from './profile.module.css';
import { texts } from './texts.ts';

const MIN_LENGTH = 6;
const EMPTY = { old: '', next: '', again: '' };

export function PasswordForm() {
  const { username, read_only: isFromConfiguration } = useMe();
  const mayChange = useCan('users:passwordchange', username);
  const [values, setValues] = useState(EMPTY);
  const change = useMutation({
    mutationFn: () =>
      call('PUT /users/{username}/password', {
        path: { username },
        body: { old_password: values.old, password: values.next },
      }),
    onSuccess: () => setValues(EMPTY),
  });
  if (isFromConfiguration) return <p className={classes.help}>{texts.fromConfiguration}</p>;
  if (!mayChange) return <p className={classes.help}>{texts.notAllowed}</p>;
  const { old, next, again } = values;
  const isReady = old !== '' && next.length >= MIN_LENGTH && next === again;
  const field = (name: keyof typeof EMPTY) => ({
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) change.mutate();
      }}
    >
      <PasswordInput label={texts.oldPassword} autoComplete="current-password" {...field('old')} />
      <PasswordInput
        label={texts.newPassword}
        autoComplete="new-password"
        error={next !== '' && next.length < MIN_LENGTH ? texts.tooShort : undefined}
        {...field('next')}
      />
      <PasswordInput
        label={texts.repeated}
        autoComplete="new-password"
        error={again !== '' && again !== next ? texts.differ : undefined}
        {...field('again')}
      />
      {change.error !== null && <ErrorNotice error={change.error} />}
      {change.isSuccess && <InlineNotice kind="ok">{texts.changed}</InlineNotice>}
      <Button type="submit" variant="filled" disabled={!isReady} loading={change.isPending}>
        {texts.change}
      </Button>
    </form>
  );
}
