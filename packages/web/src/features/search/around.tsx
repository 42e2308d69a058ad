import { Button, Chip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LogList } from '../../components/log-list.tsx';
import { fromFound, messageKey, scalarsOf } from '../../lib/messages/index.ts';
import { surroundingQuery } from './queries.ts';
import classes from './search.module.css';
import { DEFAULT_COLUMNS } from './search-params.ts';
import { texts } from './texts.ts';

export interface AroundProps {
  readonly index: string;
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const FIRST_COUNT = 10;
const MAX_COUNT = 1000;
const ROW_HEIGHT = 22;
const SHOWN_ROWS = 24;
const MAX_CHIPS = 8;
const NOT_HELD = /^(?:message|full_message|timestamp|streams|level|gl2_.*)$/;

/** What happened just before and after a message. */
export function Around({ index, id, fields }: AroundProps) {
  const [held, setHeld] = useState<string[]>(['source']);
  const [count, setCount] = useState(FIRST_COUNT);
  const navigate = useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(surroundingQuery(index, id, count, held));
  const messages = useMemo(() => (data?.messages ?? []).map(fromFound), [data]);
  const choices = [
    'source',
    ...Object.keys(fields).filter((name) => name !== 'source' && isHoldable(name, fields)),
  ];
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <section className={classes.around} aria-label={texts.around}>
      <div className={classes.chips}>
        <span>{texts.sameValues}</span>
        <Chip.Group multiple value={held} onChange={setHeld}>
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
      </div>
      <div
        className={classes.aroundList}
        style={{ height: 28 + Math.min(SHOWN_ROWS, Math.max(3, messages.length)) * ROW_HEIGHT }}
      >
        <LogList
          label={texts.around}
          messages={messages}
          total={messages.length}
          columns={DEFAULT_COLUMNS}
          marked={messageKey({ index, id })}
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
