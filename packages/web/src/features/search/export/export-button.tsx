import { Button } from '@mantine/core';
import { useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import type { Run } from '../run.ts';
import type { SearchState } from '../use-search.ts';

/** Loaded when somebody opens it. */
export const ExportDialog = lazyPart(async () => (await import('./export-dialog.tsx')).ExportDialog);

/** Where the list ends before the messages do. */
export function ExportButton({ search, run }: { readonly search: SearchState; readonly run: Run }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" onClick={() => setOpen(true)}>
        Export all
      </Button>
      {isOpen && <ExportDialog search={search} run={run} onClose={() => setOpen(false)} />}
    </>
  );
}
