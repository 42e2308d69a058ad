import { Button, Chip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { LogList } from '../../../components/log-list/log-list.tsx';
import { fromFound, type LogMessage, messageKey, scalarsOf } from '../../../lib/messages/index.ts';
import { surroundingQuery } from '../queries.ts';
import { DEFAULT_COLUMNS, searchParams } from '../search-params.ts';
import { texts } from '../texts.ts';
import classes from './detail.module.css';
import { heldQuery, streamsAround } from './surroundings.ts';

export interface AroundProps {
  readonly index: string;
  readonly id: string;
  readonly timestamp: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields whose values stay equal. */
  readonly held: readonly string[];
  readonly onHold: (fields: readonly string[]) => void;
}

const FIRST_COUNT = 10;
const MAX_COUNT = 1000;
const ROW_HEIGHT = 22;
const HEAD_HEIGHT = 28;
const SHOWN_ROWS = 24;
const MAX_CHIPS = 8;
const NOT_HELD = /^(?:message|full_message|timestamp|streams|level|gl2_.*)$/;
/** What is searched beyond the first and the last message. */
const MARGIN_MS = 1000;

/** What happened just before and after a message. */
export function Around({ index, id, timestamp, fields, held, onHold }: AroundProps) {
  const [count, setCount] = useState(FIRST_COUNT);
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(surroundingQuery(index, id, count, held));
  const messages = useMemo(() => (data?.messages ?? []).map(fromFound), [data]);
  const choices = [
    ...new Set(['source', ...held, ...Object.keys(fields).filter((name) => isHoldable(name, fields))]),
  ];
  const openAsSearch = () => {
    const search = searchParams.write({
      q: heldQuery(fields, held),
      s: streamsAround(fields),
      t: { type: 'absolute', ...spanOf(messages, timestamp) },
      msg: `${index}/${id}`,
      at: 0,
    });
    void navigate({ to: '/search', search });
  };
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <section className={classes.around} aria-label={texts.around}>
      <div className={classes.chips}>
        <span>{texts.sameValues}</span>
        <Chip.Group multiple value={[...held]} onChange={onHold}>
          {choices.slice(0, MAX_CHIPS).map((name) => (
            <Chip key={name} value={name} size="xs">
              {name}
            </Chip>
          ))}
        </Chip.Group>
        <Button
          size="xs"
          disabled={count >= MAX_COUNT}
          onClick={() => setCount(Math.min(MAX_COUNT, count * 5))}
        >
          {texts.showMore}
        </Button>
        <Button size="xs" leftSection={<IconSearch size={14} />} onClick={openAsSearch}>
          Open as search
        </Button>
      </div>
      <div
        className={classes.aroundList}
        style={{ height: HEAD_HEIGHT + Math.min(SHOWN_ROWS, Math.max(3, messages.length)) * ROW_HEIGHT }}
      >
        <LogList
          label={texts.around}
          messages={messages}
          total={messages.length}
          columns={DEFAULT_COLUMNS}
          pointedOut={messageKey({ index, id })}
          onExpand={(key) => void navigate({ to: `/messages/${key}` })}
          isWrapped={false}
          isCompact
          isNarrow={false}
          hasDates={false}
          isStale={isPlaceholderData}
          hasKeys={false}
        />
      </div>
    </section>
  );
}

function isHoldable(name: string, fields: Readonly<Record<string, unknown>>): boolean {
  return !NOT_HELD.test(name) && !name.includes(',') && scalarsOf(fields[name]).length === 1;
}

function spanOf(messages: readonly LogMessage[], timestamp: number) {
  const times = [timestamp, ...messages.map((message) => message.timestamp)];
  return { from: Math.min(...times) - MARGIN_MS, to: Math.max(...times) + MARGIN_MS };
}
