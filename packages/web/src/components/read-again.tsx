import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../lib/api/index.ts';
import { InlineNotice } from './inline-notice.tsx';
import classes from './read-again.module.css';

export interface ReadAgain<Sent> {
  readonly start: (sent: Sent) => void;
  readonly isPending: boolean;
  /** What is stored is not known: nothing can be changed until it is. */
  readonly isUnknown: boolean;
  /** What went wrong, with a way to try it again. */
  readonly notice: ReactNode;
}

/** Reads what the server made of something that was saved. When that fails, it is saved all the same: the notice says so. */
export function useReadAgain<Sent = void>(read: (sent: Sent) => Promise<void>): ReadAgain<Sent> {
  // It stays while it is tried again: what is typed before the answer is there would be lost.
  const [problem, setProblem] = useState<Error>();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: read,
    onError: setProblem,
    onSuccess: () => setProblem(undefined),
  });
  return {
    start: (sent) => mutate(sent),
    isPending,
    isUnknown: problem !== undefined,
    notice: problem !== undefined && (
      <InlineNotice
        kind="warn"
        title="Saved, but not read again"
        actions={
          // Not `loading`, which takes the focus away from it: it may have to be pressed again.
          <Button autoFocus onClick={() => isPending || mutate(variables as Sent)}>
            Try again
          </Button>
        }
      >
        {`Your change is saved. What is stored now could not be read, so it cannot be changed further: ${messageOf(problem)}`}
      </InlineNotice>
    ),
  };
}

interface HeldProps {
  readonly saved: Pick<ReadAgain<never>, 'isUnknown'>;
  readonly children: ReactNode;
}

/** A form that waits while nobody knows what is stored: what was typed into it would meet a conflict, or be lost. */
export function Held({ saved: { isUnknown }, children }: HeldProps) {
  return (
    <fieldset className={classes.held} disabled={isUnknown}>
      {children}
    </fieldset>
  );
}
