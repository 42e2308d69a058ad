import { Button } from '@mantine/core';
import type { IndexSetView } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { Disabled } from '../../components/disabled.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { toast } from '../../components/toast.ts';
import { foundStreamsQuery } from '../../lib/streams/index.ts';
import classes from './index-sets.module.css';
import { useChangeSet } from './queries.ts';
import { texts } from './texts.ts';

interface WritableSectionProps {
  readonly set: IndexSetView;
  /** Why it may not be changed at all. */
  readonly reason: string | undefined;
}

/** Whether streams can choose the index set. */
export function WritableSection({ set, reason }: WritableSectionProps) {
  const [isAsking, setAsking] = useState(false);
  const change = useChangeSet(set.id);
  const { data } = useQuery(foundStreamsQuery({ indexSetId: set.id, count: 1 }));
  const users = data?.total ?? 0;
  const noChange = reason ?? whyWritable(set, users);
  const setWritable = (writable: boolean) =>
    change.mutate(
      { ...set, writable },
      {
        onSuccess: ({ title }) => {
          toast(writable ? texts.madeWritable(title) : texts.madeReadOnly(title));
          setAsking(false);
        },
      },
    );
  return (
    <section className={classes.section} aria-label={texts.writableHeading}>
      <h2>{texts.writableHeading}</h2>
      <p>{set.writable ? texts.isWritable : texts.isReadOnly}</p>
      {isAsking ? (
        <ConfirmInline
          question={texts.readOnlyQuestion(set.title)}
          action={texts.makeReadOnly}
          isBusy={change.isPending}
          onConfirm={() => setWritable(false)}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <Disabled reason={noChange}>
          <Button
            className={classes.start}
            loading={change.isPending}
            onClick={() => (set.writable ? setAsking(true) : setWritable(true))}
          >
            {set.writable ? texts.makeReadOnly : texts.makeWritable}
          </Button>
        </Disabled>
      )}
      {change.error !== null && <ErrorNotice error={change.error} />}
    </section>
  );
}

/** Undefined: it need not be. */
function whyWritable({ default: isDefault, writable }: IndexSetView, users: number): string | undefined {
  if (isDefault) return texts.defaultIsWritable;
  return writable && users > 0 ? texts.streamsFirst(users) : undefined;
}
