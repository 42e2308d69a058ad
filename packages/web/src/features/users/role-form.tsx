import { Button, Textarea, TextInput } from '@mantine/core';
import type { Role, RoleRequest } from '@millrace/contract';
import { type FormEvent, useState } from 'react';
import { Conflict, isConflict } from '../../components/conflict.tsx';
import { Disabled } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LeaveQuestion } from '../../components/leave-question.tsx';
import { ApiError } from '../../lib/api/index.ts';
import { permissionsOf, type Rights, rightsOf } from './rights.ts';
import { RightsEditor } from './rights-fields.tsx';
import { texts as common, roleTexts as texts } from './texts.ts';
import classes from './users.module.css';

export interface RoleFormProps {
  /** None for a new one. */
  readonly role?: Role;
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  /** Why it cannot be saved. */
  readonly reason?: string | undefined;
  /** `onSaved` is called with what is stored, unless another page follows. */
  readonly onSave: (request: RoleRequest, onSaved: (stored: Role) => void) => void;
  /** Reads what is stored now, after somebody else has changed it. */
  readonly onReload?: () => Promise<Role>;
  readonly onCancel?: () => void;
}

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly rights: Rights;
}

const draftOf = (role: Role | undefined): Draft => ({
  name: role?.name ?? '',
  description: role?.description ?? '',
  rights: rightsOf(role?.permissions ?? []),
});

/** A role is replaced as a whole: name, description and all of its rights. */
export function RoleForm(props: RoleFormProps) {
  const { role, action, isBusy, error, reason, onSave, onReload, onCancel } = props;
  const [base, setBase] = useState(() => draftOf(role));
  const [draft, setDraft] = useState(base);
  /** Of what the draft was made from. */
  const [revision, setRevision] = useState(role?.revision);
  const [seen, setSeen] = useState(role);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base);
  const startFrom = (stored: Role | undefined) => {
    setBase(draftOf(stored));
    setDraft(draftOf(stored));
    setRevision(stored?.revision);
  };
  // Who has typed nothing yet goes on from what is stored now.
  if (role !== seen) {
    setSeen(role);
    if (!isChanged && !isBusy) startFrom(role);
  }
  const [isTried, setTried] = useState(false);
  /** What an error is about. */
  const [sent, setSent] = useState<RoleRequest>();
  const mayNotChange = role?.read_only === true || reason !== undefined;
  // After it is saved another page may follow, or the stored values are shown: nothing may be typed meanwhile.
  const isFixed = mayNotChange || isBusy;
  const { name, description, rights } = draft;
  const problemOf = (path: 'name' | 'description') =>
    error instanceof ApiError ? error.problems.find((problem) => problem.path === path)?.message : undefined;
  // What is typed now may be right.
  const saidOf = (path: 'name' | 'description') =>
    draft[path].trim() === sent?.[path] ? problemOf(path) : undefined;
  const nameProblem = isTried && name.trim() === '' ? texts.needed : saidOf('name');
  const save = (made: { readonly revision?: string | undefined }) => {
    setTried(true);
    if (isFixed || name.trim() === '') return;
    const request = {
      name: name.trim(),
      description: description.trim(),
      permissions: permissionsOf(rights),
    };
    setSent(request);
    onSave({ ...request, ...made }, startFrom);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ revision });
  };
  const hasConflict = isConflict(error) && onReload !== undefined;
  return (
    <form className={classes.form} onSubmit={submit} noValidate aria-label={texts.role}>
      <LeaveQuestion isUnsaved={isChanged && !isBusy} what={common.leave} />
      <TextInput
        label={texts.name}
        autoComplete="off"
        autoFocus={role === undefined}
        value={name}
        readOnly={isFixed}
        error={nameProblem}
        onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
      />
      <Textarea
        label={texts.description}
        autosize
        value={description}
        readOnly={isFixed}
        error={saidOf('description')}
        onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
      />
      <RightsEditor
        rights={rights}
        onChange={(next) => setDraft({ ...draft, rights: next })}
        isReadOnly={isFixed}
      />
      {!mayNotChange && <p className={classes.help}>{texts.granting}</p>}
      {hasConflict && (
        <Conflict
          what="role"
          onReload={async () => startFrom(await onReload())}
          onOverwrite={() => save({})}
        />
      )}
      {error !== null &&
        error !== undefined &&
        !hasConflict &&
        problemOf('name') === undefined &&
        problemOf('description') === undefined && <ErrorNotice error={error} />}
      {role?.read_only !== true && (
        <div className={classes.buttons}>
          <Disabled reason={reason}>
            <Button type="submit" variant="filled" loading={isBusy}>
              {action}
            </Button>
          </Disabled>
          {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      )}
    </form>
  );
}
