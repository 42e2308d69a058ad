import { Button } from '@mantine/core';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import { Failed } from '../../components/failed.tsx';
import type { ListedOutput } from './listed-outputs.ts';
import { usePauseOutput } from './queries.ts';
import { texts } from './texts.ts';

/** Pauses or resumes it, on all nodes. */
export function PauseButton({ row: { output, combined } }: { readonly row: ListedOutput }) {
  const pause = usePauseOutput(output.id);
  const reason = usePermissionReason('outputs:edit', output.id, texts.thisOutput);
  const isPaused = combined.state === 'PAUSED';
  return (
    <>
      {pause.error !== null && <Failed error={pause.error} />}
      <Disabled reason={reason}>
        <Button loading={pause.isPending} onClick={() => pause.mutate(!isPaused)}>
          {isPaused ? texts.resume : texts.pause}
        </Button>
      </Disabled>
    </>
  );
}
