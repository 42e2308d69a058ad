import { Button } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Page } from '../components/page-header.tsx';

/** In place of a page that failed. The shell around it goes on. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page>
      <ErrorNotice error={error} onRetry={retry} />
    </Page>
  );
}

export function NotFound() {
  return (
    <EmptyState
      icon={<IconMapPinOff size={20} />}
      title="There is no such page"
      isPage
      action={
        <Button component={Link} to="/" variant="filled">
          Go to the start
        </Button>
      }
    >
      The address may be mistyped, or what it showed was deleted.
    </EmptyState>
  );
}
