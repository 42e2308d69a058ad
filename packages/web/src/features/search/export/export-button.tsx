import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../run.ts';
import type { SearchState } from '../use-search.ts';

const ExportDialog = lazy(() => import('./export-dialog.tsx'));

/** Where the list ends before the messages do. */
export function ExportButton({ search, run }: { readonly search: SearchState; readonly run: Run }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" onClick={() => setOpen(true)}>
        Export all
      </Button>
      <Suspense>
        {isOpen && <ExportDialog search={search} run={run} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
