import { Button } from '@mantine/core';
import { ApiError, messageOf, NetworkError } from '../lib/api/index.ts';
import { InlineNotice } from './inline-notice.tsx';

const FORBIDDEN = 403;

function titleOf(error: unknown): string {
  if (error instanceof NetworkError) return 'The server does not answer';
  if (error instanceof ApiError && error.status === FORBIDDEN) return 'You may not do this';
  return 'This did not work';
}

/** What the API said, and a way to try again. */
export function ErrorNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const isForbidden = error instanceof ApiError && error.status === FORBIDDEN;
  return (
    <InlineNotice
      kind="danger"
      title={titleOf(error)}
      actions={onRetry !== undefined && !isForbidden && <Button onClick={onRetry}>Try again</Button>}
    >
      {error instanceof NetworkError ? undefined : messageOf(error)}
    </InlineNotice>
  );
}
