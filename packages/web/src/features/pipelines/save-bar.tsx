import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Conflict } from '../../components/conflict.tsx';
import { Disabled } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LeaveQuestion } from '../../components/leave-question.tsx';
import { useShortcuts } from '../../lib/keys/index.ts';
import classes from './pipelines.module.css';
import type { SourceDraft } from './source-draft.ts';
import { texts } from './texts.ts';

export interface SaveBarProps {
  readonly draft: SourceDraft;
  /** "rule" */
  readonly what: string;
  readonly isNew: boolean;
  /** Why it may not be changed; nothing when it may. */
  readonly reason: string | undefined;
  readonly hasProblems: boolean;
  /** More buttons. */
  readonly children?: ReactNode;
}

/** Below the editor: the description, the way to store it, and what came of that. */
export function SaveBar({ draft, what, isNew, reason, hasProblems, children }: SaveBarProps) {
  const { description, setDescription, isChanged, isSaving, hasConflict, error } = draft;
  const why =
    reason ?? (hasProblems ? texts.problemsFirst : isChanged || isNew ? undefined : texts.unchanged);
  useShortcuts([{ keys: 'mod+s', label: texts.save, group: texts.title, run: (event) => save(event) }]);
  const save = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (why === undefined && !isSaving && !draft.isLeaving) draft.save();
  };
  return (
    <>
      <LeaveQuestion isUnsaved={draft.isUnsaved} what={texts.leave(what)} />
      <TextInput
        label={texts.description}
        value={description}
        maxLength={2000}
        readOnly={reason !== undefined || draft.isLeaving}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Disabled reason={why} isSteady>
          <Button variant="filled" loading={isSaving || draft.isLeaving} onClick={draft.save}>
            {isNew ? texts.create : texts.save}
          </Button>
        </Disabled>
        {children}
      </div>
      {hasConflict && <Conflict what={what} onReload={draft.reload} onOverwrite={draft.overwrite} />}
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
