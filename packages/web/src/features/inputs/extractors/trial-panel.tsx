import { useDebouncedValue } from '@mantine/hooks';
import type { ExtractorRequest, ExtractorTrialRequest } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FieldChanges } from '../../../components/field-changes.tsx';
import { MessageChooser } from '../../../components/message-chooser.tsx';
import { messageOf } from '../../../lib/api/index.ts';
import type { LogMessage } from '../../../lib/messages/index.ts';
import { queryOf } from '../queries.ts';
import classes from './extractors.module.css';
import { trialQuery } from './queries.ts';
import { extractorTexts as texts } from './texts.ts';

const RUN_AFTER_MS = 300;

export interface TrialPanelProps {
  readonly inputId: string;
  /** Undefined while the form is not complete. */
  readonly extractor: ExtractorRequest | undefined;
}

/** What the extractor in the form does to a message of the input, a moment after the last key. */
export function TrialPanel({ inputId, extractor }: TrialPanelProps) {
  const [chosen, setChosen] = useState<LogMessage>();
  return (
    <MessageChooser label={texts.tryIt} chosen={chosen} onChoose={setChosen} within={queryOf(inputId)}>
      {(message) => <Tried {...{ inputId, extractor, message }} />}
    </MessageChooser>
  );
}

function Tried({ inputId, extractor, message }: TrialPanelProps & { readonly message: LogMessage }) {
  const request = JSON.stringify({ extractor, message: message.fields });
  const [settled] = useDebouncedValue(request, RUN_AFTER_MS);
  const isSettled = settled === request;
  const { data, error, isPlaceholderData } = useQuery({
    ...trialQuery(inputId, JSON.parse(settled) as ExtractorTrialRequest),
    enabled: extractor !== undefined && isSettled,
  });
  if (extractor === undefined) return <p className={classes.help}>{texts.waits}</p>;
  if (error !== null && isSettled) {
    return (
      <p className={classes.problem} role="status">
        {messageOf(error)}
      </p>
    );
  }
  if (data === undefined) return null;
  const hasSource = typeof message.fields[extractor.source_field] === 'string';
  return (
    <div role="status" aria-busy={isPlaceholderData || !isSettled} className={classes.result}>
      {!data.looked_at ? (
        <p>{hasSource ? texts.notLookedAt : texts.noSource(extractor.source_field)}</p>
      ) : data.changes.length === 0 && data.error === null ? (
        <p>{texts.foundNothing}</p>
      ) : (
        <FieldChanges changes={data.changes} />
      )}
      {data.error !== null && <p className={classes.problem}>{data.error}</p>}
    </div>
  );
}
