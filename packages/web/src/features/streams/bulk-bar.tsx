import { Button } from '@mantine/core';
import type { BulkResult, Stream } from '@millrace/contract';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { type BulkAction, useBulkAction } from './queries.ts';
import classes from './streams.module.css';
import { texts } from './texts.ts';

export interface BulkBarProps {
  readonly ids: ReadonlySet<string>;
  /** For the titles of those for which it failed. */
  readonly streams: readonly Stream[];
  readonly onClear: () => void;
}

/** What can be done with several streams. */
export function BulkBar({ ids, streams, onClear }: BulkBarProps) {
  const [isAsking, setAsking] = useState(false);
  const bulk = useBulkAction();
  const run = (action: BulkAction) =>
    bulk.mutate(
      { action, ids: [...ids] },
      {
        onSuccess: ({ failures }) => (failures.length === 0 ? onClear() : undefined),
        onSettled: () => setAsking(false),
      },
    );
  if (isAsking) {
    return (
      <ConfirmInline
        question={texts.deleteMany(ids.size)}
        action={texts.delete}
        isBusy={bulk.isPending}
        onConfirm={() => run('bulk_delete')}
        onCancel={() => setAsking(false)}
      />
    );
  }
  return (
    <section className={classes.bulk} aria-label={texts.selected(ids.size)}>
      <span role="status">{texts.selected(ids.size)}</span>
      <div className={classes.buttons}>
        <Button disabled={bulk.isPending} onClick={() => run('bulk_pause')}>
          {texts.pause}
        </Button>
        <Button disabled={bulk.isPending} onClick={() => run('bulk_resume')}>
          {texts.resume}
        </Button>
        <Button color="danger" disabled={bulk.isPending} onClick={() => setAsking(true)}>
          {texts.delete}
        </Button>
        <Button variant="subtle" color="dim" onClick={onClear}>
          {texts.clear}
        </Button>
      </div>
      {bulk.error !== null && <ErrorNotice error={bulk.error} />}
      {bulk.data !== undefined && bulk.data.failures.length > 0 && (
        <Failures failures={bulk.data.failures} streams={streams} />
      )}
    </section>
  );
}

interface FailuresProps {
  readonly failures: BulkResult['failures'];
  readonly streams: readonly Stream[];
}

function Failures({ failures, streams }: FailuresProps) {
  const titleOf = (id: string) => streams.find((stream) => stream.id === id)?.title ?? id;
  return (
    <InlineNotice kind="danger" title={texts.failed(failures.length)}>
      <ul className={classes.failures}>
        {failures.map(({ entity_id, failure_explanation }) => (
          <li key={entity_id}>
            <bdi>{titleOf(entity_id)}</bdi>: {failure_explanation}
          </li>
        ))}
      </ul>
    </InlineNotice>
  );
}
