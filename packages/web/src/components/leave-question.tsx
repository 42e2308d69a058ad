import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useState } from 'react';
import classes from './leave-question.module.css';

type Ask = (leave: () => void) => void;

/** A place of a page that shows one form at a time: a row of a list, the top of it. */
export interface LeaveScope {
  /** The questions of the forms there that are not saved. */
  readonly questions: Set<Ask>;
  /** Does what takes the form away, after a question where something is not saved. */
  readonly leave: (run: () => void) => void;
}

/** Around the form that `leave` would take away. */
export const LeaveScopeContext = createContext<LeaveScope | undefined>(undefined);

export function useLeaveScope(): LeaveScope {
  const [scope] = useState((): LeaveScope => {
    const questions = new Set<Ask>();
    const leave = (run: () => void) => {
      const [ask] = questions;
      if (ask === undefined) run();
      else ask(run);
    };
    return { questions, leave };
  });
  return scope;
}

/**
 * Asks before somebody leaves what is not saved: another page, another tab of it, a closed window, another form in its
 * scope.
 */
export function LeaveQuestion({ isUnsaved, what }: { readonly isUnsaved: boolean; readonly what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const scope = useContext(LeaveScopeContext);
  const [wanted, setWanted] = useState<{ readonly run: () => void }>();
  useEffect(() => {
    if (scope === undefined || !isUnsaved) return;
    const ask: Ask = (run) => setWanted({ run });
    scope.questions.add(ask);
    return () => void scope.questions.delete(ask);
  }, [scope, isUnsaved]);
  const stay = () => {
    setWanted(undefined);
    reset?.();
  };
  const leave = () => {
    setWanted(undefined);
    if (wanted === undefined) proceed?.();
    else wanted.run();
  };
  return (
    <Modal
      opened={status === 'blocked' || wanted !== undefined}
      onClose={stay}
      title="Leave without saving?"
      size={400}
      withCloseButton={false}
    >
      <div className={classes.question}>
        <p>{what}</p>
        <div className={classes.buttons}>
          <Button onClick={stay} data-autofocus>
            Stay
          </Button>
          <Button variant="filled" color="danger" onClick={leave}>
            Leave
          </Button>
        </div>
      </div>
    </Modal>
  );
}
