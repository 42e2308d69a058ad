import { Button, Select, TextInput } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { messageOf } from '../lib/api/index.ts';
import {
  browserZone,
  describeSpan,
  describeTimeRange,
  formatInstant,
  parseLocalTime,
  parseTimeRange,
  printTimeRange,
  resolveTimeRange,
  serverNow,
  type TimeRange,
  type TimeSpan,
  useTimeZone,
  wholeSeconds,
} from '../lib/time/index.ts';
import { DayGrid } from './day-grid.tsx';
import classes from './pickers.module.css';

const QUICK: readonly (readonly [range: string, label: string])[] = [
  ['5m', 'Last 5 minutes'],
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['6h', 'Last 6 hours'],
  ['1d', 'Last day'],
  ['2d', 'Last 2 days'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
];
/** After the last key. */
const ASK_AFTER_MS = 300;
/** Around a single time that was pasted. */
const AROUND_MS = 5 * 60_000;

export interface TimePanelProps {
  readonly range: TimeRange;
  readonly span: TimeSpan | undefined;
  readonly recent: readonly TimeRange[];
  readonly meaningOf: (words: string, signal: AbortSignal) => Promise<TimeSpan>;
  readonly onZoneChange: (zone: string) => void;
  readonly onChoose: (range: TimeRange) => void;
}

export function TimePanel({ range, span, recent, meaningOf, onZoneChange, onChoose }: TimePanelProps) {
  const zone = useTimeZone();
  const current = printTimeRange(range);
  const others = recent.filter((each) => !QUICK.some(([text]) => text === printTimeRange(each)));
  return (
    <div className={classes.panel}>
      <div className={classes.quick}>
        {QUICK.map(([text, label]) => (
          <button
            key={text}
            type="button"
            aria-current={text === current}
            onClick={() => onChoose(parseTimeRange(text) ?? range)}
          >
            {label}
          </button>
        ))}
        {others.length > 0 && <h2>Used last</h2>}
        {others.map((each) => (
          <button
            key={printTimeRange(each)}
            type="button"
            aria-current={printTimeRange(each) === current}
            title={describeTimeRange(each, zone)}
            onClick={() => onChoose(each)}
          >
            {describeTimeRange(each, zone)}
          </button>
        ))}
      </div>
      <div className={classes.own}>
        <WordsForm
          initial={range.type === 'words' ? range.text : ''}
          meaningOf={meaningOf}
          onChoose={onChoose}
        />
        <InstantsForm span={span} onChoose={onChoose} />
        <ZoneSelect onChange={onZoneChange} />
      </div>
    </div>
  );
}

interface WordsFormProps extends Pick<TimePanelProps, 'meaningOf' | 'onChoose'> {
  readonly initial: string;
}

/** Words, a range as URLs write it, or one time of any kind. */
function WordsForm({ initial, meaningOf, onChoose }: WordsFormProps) {
  const zone = useTimeZone();
  const [text, setText] = useState(initial);
  const meaning = useMeaning(text, meaningOf);
  const entered = useRef<AbortController>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, or another way to choose, take the place of these
  useEffect(() => () => entered.current?.abort(), [text]);
  const submit = () => {
    const single = parseLocalTime(text, zone, serverNow());
    if (single !== undefined) {
      onChoose({ type: 'absolute', from: single - AROUND_MS, to: single + AROUND_MS });
      return;
    }
    const range = parseTimeRange(text);
    if (range === undefined) return;
    if (range.type !== 'words' || meaning.span !== undefined) return onChoose(range);
    // Enter came before the answer. Words that mean nothing are explained below the box.
    entered.current = new AbortController();
    const { signal } = entered.current;
    meaningOf(range.text, signal).then(
      () => signal.aborted || onChoose(range),
      () => undefined,
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        label="In words, or one time"
        placeholder="yesterday 14:00 to 16:00"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        autoComplete="off"
        data-autofocus
      />
      <p className={classes.meaning} data-wrong={meaning.error !== undefined} role="status">
        {meaning.error ?? (meaning.span === undefined ? '' : describeSpan(wholeSeconds(meaning.span), zone))}
      </p>
    </form>
  );
}

interface Meaning {
  readonly span?: TimeSpan;
  readonly error?: string;
}

/** What the text means: known here for times and ranges, asked for words. */
function useMeaning(text: string, meaningOf: TimePanelProps['meaningOf']): Meaning {
  const zone = useTimeZone();
  const [meaning, setMeaning] = useState<Meaning>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for another text or zone only
  useEffect(() => {
    setMeaning({});
    const single = parseLocalTime(text, zone, serverNow());
    if (single !== undefined) {
      setMeaning({ span: { from: single - AROUND_MS, to: single + AROUND_MS } });
      return;
    }
    const range = parseTimeRange(text);
    const known = range === undefined ? undefined : resolveTimeRange(range, serverNow());
    if (known !== undefined) setMeaning({ span: known });
    if (text.trim() === '' || known !== undefined) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      meaningOf(text.trim(), controller.signal).then(
        (span) => setMeaning({ span }),
        (error) => controller.signal.aborted || setMeaning({ error: messageOf(error) }),
      );
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, zone]);
  return meaning;
}

function InstantsForm({ span, onChoose }: Pick<TimePanelProps, 'span' | 'onChoose'>) {
  const zone = useTimeZone();
  const [from, setFrom] = useState(() => (span === undefined ? '' : formatInstant(span.from, zone)));
  const [to, setTo] = useState(() => (span === undefined ? '' : formatInstant(span.to, zone)));
  const start = parseLocalTime(from, zone, serverNow());
  const end = parseLocalTime(to, zone, serverNow());
  const isOrdered = start !== undefined && end !== undefined && start <= end;
  const wrong = (value: string, ms: number | undefined) =>
    value !== '' && ms === undefined ? 'Like 2026-11-15 10:00:00' : undefined;
  return (
    <form
      className={classes.own}
      onSubmit={(event) => {
        event.preventDefault();
        if (isOrdered) onChoose({ type: 'absolute', from: start, to: end });
      }}
    >
      <div className={classes.pair}>
        <TextInput
          label="From"
          value={from}
          error={wrong(from, start)}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label="To"
          value={to}
          error={
            wrong(to, end) ??
            (start !== undefined && end !== undefined && start > end ? 'Lies before the start' : undefined)
          }
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </div>
      <DayGrid
        from={start === undefined ? undefined : formatInstant(start, zone, 'day')}
        to={end === undefined ? undefined : formatInstant(end, zone, 'day')}
        today={formatInstant(serverNow(), zone, 'day')}
        onChoose={(first, last) => {
          setFrom(`${first} 00:00:00`);
          setTo(`${last} 23:59:59`);
        }}
      />
      <Button type="submit" className={classes.apply} disabled={!isOrdered}>
        Use these times
      </Button>
    </form>
  );
}

function ZoneSelect({ onChange }: { readonly onChange: (zone: string) => void }) {
  const zone = useTimeZone();
  const zones = useMemo(
    () => [...new Set([zone, browserZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])],
    [zone],
  );
  return (
    <Select
      label="Time zone of everything on the page"
      data={zones}
      value={zone}
      searchable
      limit={50}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
