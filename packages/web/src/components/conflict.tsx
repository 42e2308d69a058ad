import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../lib/api/index.ts';
import { ErrorNotice } from './error-notice.tsx';
import { InlineNotice } from './inline-notice.tsx';

const CONFLICT = 409;

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === CONFLICT;
}

export interface ConflictProps {
  /** "stream" */
  readonly what: string;
  /** Reads what is stored now and begins with that. What went wrong is said here. */
  readonly onReload: () => Promise<void>;
  readonly onOverwrite: () => void | Promise<void>;
}

/** Two people edited the same thing. */
export function Conflict({ what, onReload, onOverwrite }: ConflictProps) {
  const reload = useMutation({ mutationFn: onReload });
  const overwrite = useMutation({ mutationFn: async () => onOverwrite() });
  const error = reload.error ?? overwrite.error;
  return (
    <>
      <InlineNotice
        kind="warn"
        title="Changed meanwhile"
        actions={
          <>
            <Button loading={reload.isPending} onClick={() => reload.mutate()}>
              Reload theirs
            </Button>
            <Button loading={overwrite.isPending} onClick={() => overwrite.mutate()}>
              Overwrite with mine
            </Button>
          </>
        }
      >
        {`Somebody else has changed this ${what} since you opened it.`}
      </InlineNotice>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
