import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { foundQuery, fromFound, type LogMessage, readPasted } from '../lib/messages/index.ts';
import { ErrorNotice } from './error-notice.tsx';
import classes from './message-chooser.module.css';
import { MessageLine, MessageRows } from './message-rows.tsx';

export const chooserTexts = {
  newest: 'Newest',
  fromSearch: 'From search',
  paste: 'Paste JSON',
  query: 'Query',
  pasteHint: '{"level": 3, "source": "web-1", "message": "…"}',
  notJson: 'This is not a JSON object.',
  noMessage: 'No message is stored yet.',
  noneFound: 'No message is found.',
};

export interface MessageChooserProps {
  /** "Try one message" */
  readonly label: string;
  /** A message that was clicked elsewhere. */
  readonly chosen: LogMessage | undefined;
  readonly onChoose: (message: LogMessage | undefined) => void;
  /** Only messages of these streams are offered. */
  readonly streams?: readonly string[];
  /** A query that all offered messages meet. */
  readonly within?: string;
  /** More to choose, beside the ways to a message. */
  readonly settings?: ReactNode;
  /** What is said about the message. */
  readonly children: (message: LogMessage) => ReactNode;
}

type Way = 'newest' | 'search' | 'paste';

/** Chooses one message to try something on: the newest, one that a search finds, or one that is pasted. */
export function MessageChooser(props: MessageChooserProps) {
  const { label, chosen, onChoose, streams, within, settings, children } = props;
  const [way, setWay] = useState<Way>('newest');
  const headingId = useId();
  return (
    <section className={classes.chooser} aria-labelledby={headingId}>
      <div className={classes.head}>
        <h2 id={headingId}>{label}</h2>
        <SegmentedControl
          aria-label={label}
          value={chosen === undefined ? way : 'chosen'}
          onChange={(value) => {
            onChoose(undefined);
            setWay(value as Way);
          }}
          data={[
            { value: 'newest', label: chooserTexts.newest },
            { value: 'search', label: chooserTexts.fromSearch },
            { value: 'paste', label: chooserTexts.paste },
          ]}
        />
        {settings}
      </div>
      {chosen !== undefined ? (
        <Tried message={chosen}>{children}</Tried>
      ) : way === 'newest' ? (
        <Newest {...{ streams, within }}>{children}</Newest>
      ) : way === 'search' ? (
        <FromSearch {...{ streams, within, onChoose }} />
      ) : (
        <Pasted>{children}</Pasted>
      )}
    </section>
  );
}

type Shown = Pick<MessageChooserProps, 'children'>;

function Tried({ message, children }: Shown & { readonly message: LogMessage }) {
  return (
    <>
      <div className={classes.line}>
        <MessageLine message={message} />
      </div>
      {children(message)}
    </>
  );
}

interface Offered {
  readonly streams: readonly string[] | undefined;
  readonly within: string | undefined;
}

function Newest({ streams, within = '*', children }: Shown & Offered) {
  const { data, error, refetch } = useQuery(foundQuery(within, 1, streams));
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const [newest] = data ?? [];
  if (data !== undefined && newest === undefined)
    return <p className={classes.dim}>{chooserTexts.noMessage}</p>;
  return newest === undefined ? null : <Tried message={fromFound(newest)}>{children}</Tried>;
}

const SEARCH_AFTER_MS = 300;
const MAX_FOUND = 5;

function FromSearch({ streams, within, onChoose }: Offered & Pick<MessageChooserProps, 'onChoose'>) {
  const [query, setQuery] = useState('');
  const [settled] = useDebouncedValue(query, SEARCH_AFTER_MS);
  const { data, error } = useQuery(foundQuery(narrowed(settled, within), MAX_FOUND, streams));
  return (
    <>
      <TextInput
        aria-label={chooserTexts.query}
        placeholder="level:3 AND timeout"
        classNames={{ input: 'mono' }}
        value={query}
        error={error?.message}
        spellCheck={false}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {data !== undefined && (
        <MessageRows messages={data} nothing={chooserTexts.noneFound} onTry={onChoose} />
      )}
    </>
  );
}

function narrowed(query: string, within: string | undefined): string {
  if (within === undefined) return query;
  return query.trim() === '' ? within : `${within} AND (${query})`;
}

function Pasted({ children }: Shown) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, SEARCH_AFTER_MS);
  const pasted = readPasted(settled);
  return (
    <>
      <Textarea
        aria-label={chooserTexts.paste}
        placeholder={chooserTexts.pasteHint}
        classNames={{ input: 'mono' }}
        autosize
        minRows={3}
        maxRows={12}
        value={text}
        error={settled.trim() !== '' && pasted === undefined ? chooserTexts.notJson : undefined}
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {pasted !== undefined && children(pasted)}
    </>
  );
}
