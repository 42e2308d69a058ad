import { Button } from '@mantine/core';
import { ApiError } from '../lib/api/index.ts';
import { InlineNotice } from './inline-notice.tsx';

const CONFLICT = 409;

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === CONFLICT;
}

export interface ConflictProps {
  /** "stream" */
  readonly what: string;
  readonly onReload: () => void;
  readonly onOverwrite: () => void;
}

/** Two people edited the same thing. */
export function Conflict({ what, onReload, onOverwrite }: ConflictProps) {
  return (
    <InlineNotice
      kind="warn"
      title="Changed meanwhile"
      actions={
        <>
          <Button onClick={onReload}>Reload theirs</Button>
          <Button onClick={onOverwrite}>Overwrite with mine</Button>
        </>
      }
    >
      {`Somebody else has changed this ${what} since you opened it.`}
    </InlineNotice>
  );
}
