import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useShortcuts } from '../../../lib/keys/index.ts';
import classes from '../search.module.css';
import { texts } from '../texts.ts';
import type { Steps } from './use-steps.ts';

/** Undo and redo, which say what they would take back. */
export function StepButtons({ steps }: { readonly steps: Steps }) {
  const { undoLabel, redoLabel, undo, redo } = steps;
  useShortcuts([
    { keys: 'u', label: texts.undoStep(undoLabel), group: texts.title, run: undo },
    { keys: 'U', label: texts.redoStep(redoLabel), group: texts.title, run: redo },
  ]);
  return (
    <div className={classes.steps}>
      <Tooltip label={`${texts.undoStep(undoLabel)} (u)`}>
        <ActionIcon aria-label={texts.undoStep(undoLabel)} disabled={undoLabel === undefined} onClick={undo}>
          <IconArrowBackUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`${texts.redoStep(redoLabel)} (U)`}>
        <ActionIcon aria-label={texts.redoStep(redoLabel)} disabled={redoLabel === undefined} onClick={redo}>
          <IconArrowForwardUp size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
