import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import classes from './leave-question.module.css';

/** Asks before somebody leaves what is not saved: another page, another tab of it, a closed window. */
export function LeaveQuestion({ isUnsaved, what }: { readonly isUnsaved: boolean; readonly what: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title="Leave without saving?"
      size={400}
      withCloseButton={false}
    >
      <div className={classes.question}>
        <p>{what}</p>
        <div className={classes.buttons}>
          <Button onClick={() => reset?.()} data-autofocus>
            Stay
          </Button>
          <Button variant="filled" color="danger" onClick={() => proceed?.()}>
            Leave
          </Button>
        </div>
      </div>
    </Modal>
  );
}
