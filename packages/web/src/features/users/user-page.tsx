import { Button, PasswordInput } from '@mantine/core';
import type { User } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ConfirmDeletion } from '../../components/confirm-deletion.tsx';
import { Disabled, missingPermission, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { OneOrWhyNot } from '../../components/one-or-why-not.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { useMe } from '../../lib/account/index.ts';
import { useDeleteUser, userQuery, useSetPassword } from './queries.ts';
import { texts } from './texts.ts';
import { UserForm } from './user-form.tsx';
import { StatusButton, StatusQuestion, useRemovalReason } from './user-status.tsx';
import classes from './users.module.css';

export function UserPage() {
  const { name = '' } = useParams({ strict: false });
  return (
    <OneOrWhyNot
      result={useQuery(userQuery(name))}
      notFound={texts.notFound(name)}
      notFoundWhy={texts.notFoundWhy}
      forbidden={missingPermission('users:edit', texts.thisUser)}
      listPath="/users"
      toList={texts.allUsers}
    >
      {(user) => <OneUser key={user.id} user={user} />}
    </OneOrWhyNot>
  );
}

function OneUser({ user }: { readonly user: User }) {
  return (
    <Page>
      <PageHeader
        title={user.username}
        about={user.full_name === user.username ? undefined : user.full_name}
      />
      {user.read_only && <InlineNotice kind="info">{texts.rootUser}</InlineNotice>}
      <UserForm user={user} />
      {!user.read_only && <PasswordSection user={user} />}
      {!user.read_only && <AccountSection user={user} />}
    </Page>
  );
}

const MIN_PASSWORD = 6;

/** For somebody who has forgotten theirs. The own password is changed in the own account, with the old one. */
function PasswordSection({ user }: { readonly user: User }) {
  const me = useMe();
  const [password, setPassword] = useState('');
  const set = useSetPassword(user.username);
  const reason = usePermissionReason('users:passwordchange', user.username, texts.thisUser);
  if (me.username === user.username) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password.length >= MIN_PASSWORD) set.mutate(password, { onSuccess: () => setPassword('') });
  };
  return (
    <form className={classes.section} aria-label={texts.password} onSubmit={submit}>
      <h2>{texts.password}</h2>
      <PasswordInput
        label={texts.newPassword}
        description={reason ?? texts.newPasswordHelp}
        autoComplete="new-password"
        value={password}
        readOnly={reason !== undefined}
        error={password !== '' && password.length < MIN_PASSWORD ? texts.tooShort : undefined}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {set.error !== null && <ErrorNotice error={set.error} />}
      {set.isSuccess && password === '' && <InlineNotice kind="ok">{texts.passwordSet}</InlineNotice>}
      <Disabled reason={reason}>
        <Button
          type="submit"
          className={classes.start}
          disabled={reason === undefined && password.length < MIN_PASSWORD}
          loading={set.isPending}
        >
          {texts.setPassword}
        </Button>
      </Disabled>
    </form>
  );
}

function AccountSection({ user }: { readonly user: User }) {
  const [asking, setAsking] = useState<'disable' | 'delete'>();
  const reason = useRemovalReason(user);
  return (
    <section className={classes.section} aria-label={texts.account}>
      <h2>{texts.account}</h2>
      {asking === undefined && (
        <div className={classes.buttons}>
          <StatusButton user={user} onAsk={() => setAsking('disable')} />
          <Disabled reason={reason}>
            <Button color="danger" onClick={() => setAsking('delete')}>
              {texts.delete}
            </Button>
          </Disabled>
        </div>
      )}
      {asking === 'disable' && <StatusQuestion user={user} onDone={() => setAsking(undefined)} />}
      {asking === 'delete' && <DeleteQuestion user={user} onCancel={() => setAsking(undefined)} />}
    </section>
  );
}

function DeleteQuestion({ user, onCancel }: { readonly user: User; readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const { username } = user;
  return (
    <ConfirmDeletion
      question={texts.deleteQuestion(username)}
      action={texts.delete}
      remove={useDeleteUser()}
      id={username}
      deleted={texts.deletedDone(username)}
      // Nobody wants to save what they have just deleted.
      onDone={() => void navigate({ to: '/users', replace: true, ignoreBlocker: true })}
      onCancel={onCancel}
    />
  );
}
