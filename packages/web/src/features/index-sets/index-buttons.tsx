import { Button } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { Disabled, usePermissionReason } from '../../components/disabled.tsx';
import type { IndexQuestionKind, IndexRow } from './index-row.ts';
import classes from './index-sets.module.css';
import { texts } from './texts.ts';

interface IndexButtonsProps {
  readonly set: IndexSetView;
  readonly index: IndexRow;
  readonly onAsk: (kind: IndexQuestionKind) => void;
}

/** What can be done with one index. The names of the buttons say which one, for people who do not see the row. */
export function IndexButtons({ set, index, onAsk }: IndexButtonsProps) {
  const { name } = index;
  const noRotation = usePermissionReason('deflector:cycle', set.id, texts.thisSet);
  const noChange = usePermissionReason('indices:changestate', name, texts.thisIndex);
  const noDeletion = usePermissionReason('indices:delete', name, texts.thisIndex);
  const button = (kind: IndexQuestionKind, label: string, reason: string | undefined) => (
    <Disabled reason={reason}>
      <Button aria-label={`${label}: ${name}`} onClick={() => onAsk(kind)}>
        {label}
      </Button>
    </Disabled>
  );
  return (
    <div className={classes.rowButtons}>
      {index.is_deflector ? (
        button('rotate', texts.rotate, set.writable ? noRotation : texts.notWritable)
      ) : (
        <>
          {index.is_closed
            ? button('reopen', texts.reopen, noChange)
            : button('close', texts.close, noChange)}
          {button('delete', texts.delete, noDeletion)}
        </>
      )}
    </div>
  );
}
