import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { usePermissionReason } from '../../components/disabled.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { focusFirstProblem } from '../../components/first-problem.ts';
import { LeaveQuestion } from '../../components/leave-question.tsx';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { SessionTimeoutField } from '../../components/session-timeout-field.tsx';
import { toast } from '../../components/toast.ts';
import { type SessionTimeout, timeoutMs, timeoutProblem, useCan } from '../../lib/account/index.ts';
import { ApiError } from '../../lib/api/index.ts';
import { isNameOfPage, useCreateUser } from './queries.ts';
import { permissionsOf, type Rights } from './rights.ts';
import { RightsFields, RolesField } from './rights-fields.tsx';
import { texts } from './texts.ts';
import classes from './users.module.css';

const EMPTY = { username: '', full_name: '', email: '', password: '' };
const MIN_PASSWORD = 6;
/** Empty: that of the configuration. */
const NO_TIMEOUT: SessionTimeout = { amount: '', unit: 'hours' };
const FIRST_ROLES = ['Reader'];
const NO_RIGHTS: Rights = { streams: [], others: [] };

export function NewUserPage() {
  const reason = usePermissionReason('users:create');
  return (
    <Page>
      <PageHeader title={texts.newUser} about={texts.newAbout} />
      {reason === undefined ? <NewUserForm /> : <EmptyState title={reason} />}
    </Page>
  );
}

type Problems = Partial<Record<keyof typeof EMPTY, string>>;

/** What is missing, before the server is asked. */
function missing(values: typeof EMPTY): Problems {
  const empty = Object.entries(values).filter(([, value]) => value.trim() === '');
  return {
    ...(values.password.length < MIN_PASSWORD && { password: texts.tooShort }),
    ...Object.fromEntries(empty.map(([name]) => [name, texts.needed])),
  };
}

function NewUserForm() {
  const navigate = useNavigate();
  const [values, setValues] = useState(EMPTY);
  const [roles, setRoles] = useState(FIRST_ROLES);
  const [rights, setRights] = useState(NO_RIGHTS);
  const [timeout, changeTimeout] = useState(NO_TIMEOUT);
  const [isTried, setTried] = useState(false);
  const mayGrant = useCan('users:permissionsedit');
  const create = useCreateUser();
  const fromServer: Problems =
    create.error instanceof ApiError
      ? Object.fromEntries(create.error.problems.map(({ path, message }) => [path, message]))
      : {};
  // What the server said is about what was sent; another text is not wrong until it says so again.
  const isAsSent = (name: keyof typeof EMPTY) => values[name] === create.variables?.[name];
  const missed: Problems = isTried ? missing(values) : {};
  const field = (name: keyof typeof EMPTY) => ({
    value: values[name],
    error: missed[name] ?? (isAsSent(name) ? fromServer[name] : undefined),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  });
  const wrongTimeout =
    timeout.amount === '' && timeout.unit !== 'never' ? undefined : timeoutProblem(timeout);
  const form = useRef<HTMLFormElement>(null);
  // What is wrong is marked first.
  const goToProblem = () => requestAnimationFrame(() => focusFirstProblem(form.current));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(missing(values)).length > 0 || wrongTimeout !== undefined) {
      goToProblem();
      return;
    }
    create.mutate(
      {
        ...values,
        roles,
        ...(timeoutMs(timeout) !== undefined && { session_timeout_ms: timeoutMs(timeout) }),
        ...(mayGrant && { permissions: permissionsOf(rights) }),
      },
      {
        onError: goToProblem,
        onSuccess: () => {
          toast(texts.created(values.username));
          void navigate(
            isNameOfPage(values.username)
              ? { to: '/users', replace: true, ignoreBlocker: true }
              : {
                  to: '/users/$name',
                  params: { name: values.username },
                  replace: true,
                  ignoreBlocker: true,
                },
          );
        },
      },
    );
  };
  const isTyped =
    Object.values(values).some((value) => value !== '') ||
    roles !== FIRST_ROLES ||
    rights !== NO_RIGHTS ||
    timeout !== NO_TIMEOUT;
  const isBesideFields = Object.keys(fromServer).some((name) => name in EMPTY);
  return (
    <form ref={form} className={classes.form} onSubmit={submit} noValidate>
      <LeaveQuestion isUnsaved={isTyped && !create.isPending && !create.isSuccess} what={texts.leaveNew} />
      <TextInput
        label={texts.username}
        description={texts.usernameHelp}
        autoComplete="off"
        autoFocus
        {...field('username')}
      />
      <TextInput label={texts.fullName} autoComplete="off" {...field('full_name')} />
      <TextInput label={texts.email} type="email" autoComplete="off" {...field('email')} />
      <PasswordInput
        label={texts.password}
        description={texts.passwordHelp}
        autoComplete="new-password"
        {...field('password')}
      />
      <SessionTimeoutField
        description={texts.timeoutNew}
        placeholder={texts.timeoutDefault}
        value={timeout}
        error={wrongTimeout}
        onChange={changeTimeout}
      />
      <RolesField roles={roles} onChange={setRoles} />
      <RightsFields rights={rights} onChange={setRights} />
      {create.error !== null && !isBesideFields && <ErrorNotice error={create.error} />}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" loading={create.isPending}>
          {texts.create}
        </Button>
        <Button onClick={() => void navigate({ to: '/users' })}>Cancel</Button>
      </div>
    </form>
  );
}
