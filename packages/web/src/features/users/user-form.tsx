import { Button, TextInput } from '@mantine/core';
import type { User } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Conflict, isConflict } from '../../components/conflict.tsx';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LeaveQuestion } from '../../components/leave-question.tsx';
import { Held, useReadAgain } from '../../components/read-again.tsx';
import { SessionTimeoutField } from '../../components/session-timeout-field.tsx';
import { toast } from '../../components/toast.ts';
import { timeoutMs, timeoutProblem } from '../../lib/account/index.ts';
import { ApiError } from '../../lib/api/index.ts';
import { useChangeUser, userQuery } from './queries.ts';
import { RightsFields, RolesField } from './rights-fields.tsx';
import { texts } from './texts.ts';
import { changesOf, draftOf, isSameDraft, rebased, type UserDraft } from './user-draft.ts';
import classes from './users.module.css';

export function UserForm({ user }: { readonly user: User }) {
  const [base, setBase] = useState(() => draftOf(user));
  const [revision, setRevision] = useState(user.revision);
  const [draft, setDraft] = useState(base);
  const client = useQueryClient();
  const change = useChangeUser(user.username);
  const reason = usePermissionReason('users:edit', user.username, texts.thisUser);
  const isFixed = user.read_only || reason !== undefined;
  const { fullName, email, timeout, roles, rights } = draft;
  // What a program has stored may stay as it is.
  const wrongTimeout = timeoutMs(timeout) === timeoutMs(base.timeout) ? undefined : timeoutProblem(timeout);
  /** Begins with what is stored now, with what others have changed. */
  const read = async (change: (draft: UserDraft, stored: UserDraft) => UserDraft) => {
    const stored = await client.fetchQuery({ ...userQuery(user.username), staleTime: 0 });
    setBase(draftOf(stored));
    setRevision(stored.revision);
    setDraft((current) => change(current, draftOf(stored)));
  };
  const saved = useReadAgain((sent: UserDraft) => read((current, stored) => rebased(current, sent, stored)));
  const isBusy = change.isPending || saved.isPending;
  const save = (made: { readonly revision?: string }) => {
    if (isFixed || fullName.trim() === '' || email.trim() === '' || wrongTimeout !== undefined) return;
    change.mutate(
      { ...changesOf(draft, base), ...made },
      {
        onSuccess: () => {
          toast(texts.saved(user.username));
          setBase(draft);
          saved.start(draft);
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ revision });
  };
  const reload = async () => {
    await read((_, stored) => stored);
    change.reset();
  };
  const hasConflict = isConflict(change.error);
  const problemOf = (path: 'full_name' | 'email' | 'session_timeout_ms') =>
    change.error instanceof ApiError
      ? change.error.problems.find((problem) => problem.path === path)?.message
      : undefined;
  // What the server said is about what was sent; another text is not wrong until it says so again.
  const saidOf = (path: 'full_name' | 'email', text: string) =>
    text.trim() === change.variables?.[path] ? problemOf(path) : undefined;
  return (
    <>
      <Held saved={saved}>
        <form className={classes.form} onSubmit={submit} noValidate>
          <LeaveQuestion isUnsaved={!isSameDraft(draft, base) && !isBusy} what={texts.leave} />
          <TextInput
            label={texts.fullName}
            value={fullName}
            readOnly={isFixed}
            error={fullName.trim() === '' ? texts.needed : saidOf('full_name', fullName)}
            onChange={(event) => setDraft({ ...draft, fullName: event.currentTarget.value })}
          />
          <TextInput
            label={texts.email}
            type="email"
            value={email}
            readOnly={isFixed}
            error={email.trim() === '' && !user.read_only ? texts.needed : saidOf('email', email)}
            onChange={(event) => setDraft({ ...draft, email: event.currentTarget.value })}
          />
          <SessionTimeoutField
            description={user.read_only ? texts.timeoutFromConfiguration : texts.timeoutHelp}
            value={timeout}
            isReadOnly={isFixed}
            error={wrongTimeout ?? problemOf('session_timeout_ms')}
            onChange={(next) => setDraft({ ...draft, timeout: next })}
          />
          <RolesField
            roles={roles}
            onChange={(next) => setDraft({ ...draft, roles: next })}
            isReadOnly={isFixed}
          />
          {user.own_permissions !== null ? (
            <RightsFields
              rights={rights}
              onChange={(next) => setDraft({ ...draft, rights: next })}
              isReadOnly={isFixed}
            />
          ) : (
            <p className={classes.help}>{texts.hiddenPermissions}</p>
          )}
          {hasConflict && <Conflict what="user" onReload={reload} onOverwrite={() => save({})} />}
          {change.error !== null &&
            !hasConflict &&
            problemOf('full_name') === undefined &&
            problemOf('email') === undefined && <ErrorNotice error={change.error} />}
          {!user.read_only && (
            <Disabled reason={reason}>
              <Button type="submit" variant="filled" className={classes.start} loading={isBusy}>
                {texts.save}
              </Button>
            </Disabled>
          )}
        </form>
      </Held>
      {saved.notice}
    </>
  );
}
