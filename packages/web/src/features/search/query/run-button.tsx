import { Button, Tooltip } from '@mantine/core';
import { IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useIsFetching } from '@tanstack/react-query';
import { useIsSlow } from '../../../lib/use-is-slow.ts';
import { RUN_REQUESTS } from '../run.ts';
import classes from '../search.module.css';
import { texts } from '../texts.ts';

export interface RunButtonProps {
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

const CANCEL_AFTER_MS = 300;

/** Becomes Cancel when a search takes longer than a blink. Both have the same size, so nothing moves. */
export function RunButton({ onRun, onCancel }: RunButtonProps) {
  const isRunning = useIsFetching({ queryKey: [RUN_REQUESTS] }) > 0;
  return useIsSlow(isRunning, CANCEL_AFTER_MS) ? (
    <Button className={classes.run} leftSection={<IconX size={16} />} onClick={onCancel}>
      {texts.cancel}
    </Button>
  ) : (
    <Tooltip label={`${texts.run} (Enter)`}>
      <Button
        className={classes.run}
        variant="filled"
        leftSection={<IconPlayerPlay size={16} />}
        onClick={onRun}
      >
        {texts.run}
      </Button>
    </Tooltip>
  );
}
