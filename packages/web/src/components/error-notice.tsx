import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, messageOf, NetworkError } from '../lib/api/index.ts';
import { isUnloadedPart } from '../lib/unloaded-part.ts';
import { InlineNotice } from './inline-notice.tsx';

const FORBIDDEN = 403;

function titleOf(error: unknown): string {
  if (error instanceof NetworkError) return 'The server does not answer';
  if (error instanceof ApiError && error.status === FORBIDDEN) return 'You may not do this';
  if (isUnloadedPart(error)) return 'A part of this page could not be loaded';
  return 'This did not work';
}

function textOf(error: unknown): ReactNode {
  if (error instanceof NetworkError) return undefined;
  if (!isUnloadedPart(error)) return messageOf(error);
  return 'The connection may have been lost, or the server has another version since. If trying again does not help, load the page again.';
}

/** What the API said, and a way to try again. */
export function ErrorNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const isForbidden = error instanceof ApiError && error.status === FORBIDDEN;
  const retry = onRetry !== undefined && !isForbidden && <Button onClick={onRetry}>Try again</Button>;
  // Many browsers do not ask for a file again that they could not load, and after an update the server has others.
  const reload = isUnloadedPart(error) && (
    <Button onClick={() => window.location.reload()}>Load the page again</Button>
  );
  const actions = (retry || reload) && (
    <>
      {retry}
      {reload}
    </>
  );
  return (
    <InlineNotice kind="danger" title={titleOf(error)} actions={actions}>
      {textOf(error)}
    </InlineNotice>
  );
}
