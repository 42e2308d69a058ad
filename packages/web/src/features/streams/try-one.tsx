import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fromFound, type LogMessage } from '../../lib/messages/index.ts';
import { MessageLine, PreviewRows } from './preview-rows.tsx';
import type { RulesDraft } from './rule-draft.ts';
import classes from './rules.module.css';
import { ruleTexts } from './texts.ts';
import { foundQuery, readPasted } from './tried-message.ts';
import { TryResult } from './try-result.tsx';

export type TryTab = 'newest' | 'search' | 'paste' | 'chosen';

export interface TryOneProps {
  readonly draft: RulesDraft;
  /** A message of the preview that was clicked. */
  readonly chosen: LogMessage | undefined;
  readonly onChoose: (message: LogMessage | undefined) => void;
}

/** Tries the rules on one message and says for each rule why. */
export function TryOne({ draft, chosen, onChoose }: TryOneProps) {
  const [tab, setTab] = useState<TryTab>('newest');
  return (
    <section className={classes.try} aria-labelledby="try-heading">
      <div className={classes.previewHead}>
        <h2 id="try-heading">{ruleTexts.tryOne}</h2>
        <SegmentedControl
          aria-label={ruleTexts.tryOne}
          value={chosen === undefined ? tab : 'chosen'}
          onChange={(value) => {
            onChoose(undefined);
            setTab(value as TryTab);
          }}
          data={[
            { value: 'newest', label: ruleTexts.newest },
            { value: 'search', label: ruleTexts.fromSearchTab },
            { value: 'paste', label: ruleTexts.paste },
          ]}
        />
      </div>
      {chosen !== undefined ? (
        <Tried draft={draft} message={chosen} />
      ) : tab === 'newest' ? (
        <Newest draft={draft} />
      ) : tab === 'search' ? (
        <FromSearch onChoose={onChoose} />
      ) : (
        <Pasted draft={draft} />
      )}
    </section>
  );
}

function Tried({ draft, message }: { readonly draft: RulesDraft; readonly message: LogMessage }) {
  return (
    <>
      <div className={classes.row} data-static="true">
        <MessageLine message={message} />
      </div>
      <TryResult draft={draft} message={message} />
    </>
  );
}

function Newest({ draft }: { readonly draft: RulesDraft }) {
  const { data, error, refetch } = useQuery(foundQuery('*', 1));
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const [newest] = data ?? [];
  if (data !== undefined && newest === undefined) return <p className={classes.dim}>{ruleTexts.noMessage}</p>;
  return newest === undefined ? null : <Tried draft={draft} message={fromFound(newest)} />;
}

const SEARCH_AFTER_MS = 300;
const MAX_FOUND = 5;

function FromSearch({ onChoose }: { readonly onChoose: (message: LogMessage) => void }) {
  const [query, setQuery] = useState('');
  const [settled] = useDebouncedValue(query, SEARCH_AFTER_MS);
  const { data, error } = useQuery(foundQuery(settled, MAX_FOUND));
  return (
    <>
      <TextInput
        aria-label={ruleTexts.tryQuery}
        placeholder="level:3 AND timeout"
        classNames={{ input: 'mono' }}
        value={query}
        error={error?.message}
        spellCheck={false}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {data !== undefined && <PreviewRows messages={data} nothing={ruleTexts.noneFound} onTry={onChoose} />}
    </>
  );
}

function Pasted({ draft }: { readonly draft: RulesDraft }) {
  const [text, setText] = useState('');
  const pasted = readPasted(text);
  return (
    <>
      <Textarea
        aria-label={ruleTexts.paste}
        placeholder={ruleTexts.pasteHint}
        classNames={{ input: 'mono' }}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        error={text.trim() !== '' && pasted === undefined ? ruleTexts.notJson : undefined}
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {pasted !== undefined && <TryResult draft={draft} message={pasted} />}
    </>
  );
}
