import { Button } from '@mantine/core';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { ApiError } from '../../lib/api/index.ts';
import { ruleTexts } from './texts.ts';

const CONFLICT = 409;

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === CONFLICT;
}

export interface ConflictProps {
  readonly onReload: () => void;
  readonly onOverwrite: () => void;
}

/** Two people edited the same stream. */
export function Conflict({ onReload, onOverwrite }: ConflictProps) {
  return (
    <InlineNotice
      kind="warn"
      title={ruleTexts.conflictTitle}
      actions={
        <>
          <Button onClick={onReload}>{ruleTexts.reload}</Button>
          <Button onClick={onOverwrite}>{ruleTexts.overwrite}</Button>
        </>
      }
    >
      {ruleTexts.conflict}
    </InlineNotice>
  );
}
