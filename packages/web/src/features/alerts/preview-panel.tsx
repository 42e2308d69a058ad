import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ValueCourse } from '../../components/alerts/index.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { InlineNotice } from '../../components/inline-notice.tsx';
import { conditionSentence, type DescribedCondition } from '../../lib/alerts/index.ts';
import { ApiError, call } from '../../lib/api/index.ts';
import classes from './alerts.module.css';
import { texts } from './texts.ts';

const PREVIEW_AFTER_MS = 300;
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
  const { data, error, refetch } = useQuery({
    queryKey: ['alert-preview', streamId, asked],
    queryFn: ({ signal }) =>
      call('POST /streams/{streamId}/alerts/conditions/preview', {
        path: { streamId },
        body: { type: asked.type, parameters: { ...asked.parameters }, hours: HOURS },
        signal,
      }),
    retry: false,
    placeholderData: keepPreviousData,
  });
  // The form says what is missing, beside the field.
  const isIncomplete = error instanceof ApiError && error.status === BAD_REQUEST;
  const isOpen = data?.periods.some(({ to }) => to === null) ?? false;
  return (
    <section className={classes.preview} aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      {typeName !== undefined && <p className={classes.sentence}>{conditionSentence(condition, typeName)}</p>}
      {isIncomplete && <p className={classes.dim}>{texts.incomplete}</p>}
      {error !== null && !isIncomplete && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && error === null && (
        <>
          <p role="status">
            <strong>{texts.wouldHave(data.periods.length)}</strong> {texts.notices(data.notifications)}
          </p>
          <ValueCourse {...data} />
          {isOpen && <InlineNotice kind="warn">{texts.stillOpen}</InlineNotice>}
        </>
      )}
      <p className={classes.dim}>{texts.previewAbout}</p>
    </section>
  );
}
