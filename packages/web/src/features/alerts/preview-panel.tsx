import { Button, Progress } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ConditionPreview } from '@millrace/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ValueCourse } from '../../components/alerts/index.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { conditionSentence, type DescribedCondition } from '../../lib/alerts/index.ts';
import { ApiError, previewCondition } from '../../lib/api/index.ts';
import { useIsSlow } from '../../lib/use-is-slow.ts';
import classes from './alerts.module.css';
import { texts } from './texts.ts';

const PREVIEW_AFTER_MS = 300;
const SLOW_AFTER_MS = 1000;
const HOURS = 24;
const BAD_REQUEST = 400;

interface PreviewPanelProps {
  readonly streamId: string;
  readonly condition: DescribedCondition;
  /** Given where the condition does not stand on the page in words yet. */
  readonly typeName?: string | undefined;
}

/** What a condition would have done to the messages that are stored. */
export function PreviewPanel({ streamId, condition, typeName }: PreviewPanelProps) {
  const [asked] = useDebouncedValue(condition, PREVIEW_AFTER_MS);
  const { data, error, isLooking, isOld, percent, isStopped, stop, again } = usePreview(streamId, asked);
  const isSlow = useIsSlow(isLooking, SLOW_AFTER_MS);
  // The form says what is missing, beside the field.
  const isIncomplete = error instanceof ApiError && error.status === BAD_REQUEST;
  return (
    <section className={classes.preview} aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      {typeName !== undefined && <p className={classes.sentence}>{conditionSentence(condition, typeName)}</p>}
      {isIncomplete && <p className={classes.dim}>{texts.incomplete}</p>}
      {error !== null && !isIncomplete && <ErrorNotice error={error} onRetry={again} />}
      {isSlow && <Looking percent={percent} onCancel={stop} />}
      {isStopped && (
        <InlineNotice kind="info" actions={<Button onClick={again}>{texts.lookAgain}</Button>}>
          {texts.stopped}
        </InlineNotice>
      )}
      {data !== undefined && error === null && !isStopped && !(isOld && isSlow) && <Found preview={data} />}
      <p className={classes.dim}>{texts.previewAbout}</p>
    </section>
  );
}

function usePreview(streamId: string, asked: DescribedCondition) {
  const client = useQueryClient();
  const queryKey = ['alert-preview', streamId, asked];
  const wanted = JSON.stringify(queryKey);
  const [stopped, setStopped] = useState<string>();
  const [percent, setPercent] = useState(0);
  const isStopped = stopped === wanted;
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey,
    // Another condition, or another page, ends it in the engine as well.
    queryFn: ({ signal }) => {
      setPercent(0);
      const body = { type: asked.type, parameters: { ...asked.parameters }, hours: HOURS };
      return previewCondition(streamId, body, { signal, onProgress: setPercent });
    },
    enabled: !isStopped,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return {
    data,
    error,
    isLooking: isFetching,
    /** What is there belongs to the condition before. */
    isOld: isPlaceholderData,
    percent,
    isStopped,
    stop: () => {
      setStopped(wanted);
      void client.cancelQueries({ queryKey, exact: true });
    },
    again: () => (isStopped ? setStopped(undefined) : void refetch()),
  };
}

function Looking({ percent, onCancel }: { readonly percent: number; readonly onCancel: () => void }) {
  return (
    <div className={classes.looking}>
      <p role="status">{texts.looking(percent)}</p>
      <Progress className={classes.lookingBar} value={percent} aria-label={texts.preview} />
      <Button size="xs" onClick={onCancel}>
        {texts.cancelPreview}
      </Button>
    </div>
  );
}

function Found({ preview }: { readonly preview: ConditionPreview }) {
  const isOpen = preview.periods.some(({ to }) => to === null);
  return (
    <>
      <p role="status">
        <strong>{texts.wouldHave(preview.periods.length)}</strong> {texts.notices(preview.notifications)}
      </p>
      <ValueCourse {...preview} />
      {isOpen && <InlineNotice kind="warn">{texts.stillOpen}</InlineNotice>}
    </>
  );
}
