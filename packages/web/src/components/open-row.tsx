import { type ReactNode, useState } from 'react';
import { type LeaveScope, LeaveScopeContext, useLeaveScope } from './leave-question.tsx';

export interface OpenRow {
  readonly editing: string | undefined;
  readonly deleting: string | undefined;
  readonly scope: LeaveScope;
  /** Opens the form of another row; asks first where the open one has something that is not saved. */
  readonly edit: (id: string) => void;
  readonly closeForm: () => void;
  readonly askDelete: (id: string) => void;
  readonly closeQuestion: () => void;
}

/** What stands below which row. The list may be part of a larger place that shows one form at a time. */
export function useOpenRow(larger?: LeaveScope): OpenRow {
  const own = useLeaveScope();
  const scope = larger ?? own;
  const [editing, setEditing] = useState<string>();
  const [deleting, setDeleting] = useState<string>();
  return {
    editing,
    deleting,
    scope,
    edit: (id) => id !== editing && scope.leave(() => setEditing(id)),
    closeForm: () => setEditing(undefined),
    askDelete: setDeleting,
    closeQuestion: () => setDeleting(undefined),
  };
}

export interface BelowRow {
  readonly question: () => ReactNode;
  readonly form: () => ReactNode;
}

/** The question stands above the form, which keeps what was typed. */
export function belowRow(opened: OpenRow, id: string, { question, form }: BelowRow): ReactNode {
  const isEdited = opened.editing === id;
  const isAsked = opened.deleting === id;
  if (!(isEdited || isAsked)) return undefined;
  return (
    <>
      {isAsked && question()}
      {isEdited && <LeaveScopeContext value={opened.scope}>{form()}</LeaveScopeContext>}
    </>
  );
}
