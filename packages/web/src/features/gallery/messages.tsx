import { LEVEL_GROUPS } from '../../components/histogram/level-groups.ts';
import { LevelHistogram, type LevelHistogramProps } from '../../components/histogram/level-histogram.tsx';
import type { LogListProps } from '../../components/log-list/list-props.ts';
import { LogList } from '../../components/log-list/log-list.tsx';
import { MessageDetail } from '../../components/message-detail.tsx';
import { TimeChart } from '../../components/time-chart/time-chart.tsx';
import { type LogMessage, messageKey } from '../../lib/messages/index.ts';
import type { Exhibit } from './exhibit.ts';
import classes from './gallery.module.css';

const nothing = () => {};
const TO = Date.UTC(2026, 10, 15, 10);
const MINUTE_MS = 60_000;
const SPAN = { from: TO - 30 * MINUTE_MS, to: TO };
const COURSE = [3, 4, 2, 8, 12, 9, 0, 0, 1, 5, 6, 7, 5, 4, 9, 14, 8, 2, 1, 0, 3, 5, 9, 11, 4, 3, 2, 2, 6, 7];
const DATA = {
  starts: COURSE.map((_, at) => SPAN.from + at * MINUTE_MS),
  intervalMs: MINUTE_MS,
  groups: LEVEL_GROUPS.map(({ name, label, title }, place) => {
    const counts = COURSE.map((count, at) => (at % (place + 2) === 0 ? count : 0));
    return {
      key: name,
      colour: name,
      label,
      title,
      counts,
      total: counts.reduce((sum, one) => sum + one, 0),
    };
  }),
};
const EMPTY = { ...DATA, groups: [] };

function Chart(props: Partial<LevelHistogramProps>) {
  return (
    <LevelHistogram data={DATA} span={SPAN} isStale={false} onZoom={nothing} onChoose={nothing} {...props} />
  );
}

const TEXTS = [
  'upstream timed out after 30 s',
  'slow query',
  'user ann logged in',
  '\u001b[31mred\u001b[0m <b>text</b>',
];
const MESSAGES: readonly LogMessage[] = Array.from({ length: 9 }, (_, at) => ({
  id: `message-${at}`,
  index: 'millrace_0',
  timestamp: TO - at * 1100,
  fields: {
    timestamp: new Date(TO - at * 1100).toISOString(),
    level: at,
    source: `web-${(at % 3) + 1}`,
    message: `${TEXTS[at % TEXTS.length]} ${at === 5 ? 'and goes on for a while '.repeat(8) : ''}`,
    took_ms: at * 210,
    user: at % 2 === 0 ? 'ann' : 'bob',
  },
  marks: {},
}));
const [FIRST] = MESSAGES;
const COLUMNS = ['timestamp', 'level', 'source', 'message'].map((field) => ({ field }));

function List(props: Partial<LogListProps> & { readonly name: string }) {
  const { name, ...rest } = props;
  return (
    <div className={classes.list}>
      <LogList
        label={`Messages, ${name}`}
        messages={MESSAGES}
        total={MESSAGES.length}
        columns={COLUMNS}
        sort="timestamp:desc"
        isWrapped={false}
        isCompact={false}
        isNarrow={false}
        hasDates={false}
        hasKeys={false}
        {...rest}
      />
    </div>
  );
}

function Detail({ message, tab }: { readonly message: LogMessage; readonly tab: string }) {
  return (
    <MessageDetail
      message={message}
      tab={tab}
      actions={{ include: nothing, exclude: nothing, only: nothing, highlight: nothing }}
      titleOf={() => undefined}
      linksOf={(field) =>
        field === 'user' ? [{ title: 'Open in CRM', url: 'https://example.org/ann' }] : []
      }
      permalink="/messages/millrace_0/message-0"
      columns={['level']}
      onToggleColumn={nothing}
      favourites={['took_ms']}
      onToggleFavourite={nothing}
      isMarked={false}
      onMark={nothing}
    />
  );
}

const manyFields = (message: LogMessage): LogMessage => ({
  ...message,
  fields: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field_${at}`, `value ${at}`])),
});

export const MESSAGE_PARTS: readonly Exhibit[] = [
  {
    name: 'LevelHistogram',
    isWide: true,
    states: [
      {
        title: 'By level, with what the list shows',
        content: <Chart visible={{ from: TO - 5 * MINUTE_MS, to: TO }} />,
      },
      { title: 'With the period before', content: <Chart before={COURSE.map((count) => count * 2)} /> },
      { title: 'Of the search before', content: <Chart isStale /> },
      { title: 'Nothing', content: <Chart data={EMPTY} /> },
      { title: 'As a table', content: <Chart isTable data={{ ...DATA, starts: DATA.starts.slice(0, 4) }} /> },
    ],
  },
  {
    name: 'LogList',
    isWide: true,
    states: [
      { title: 'Normal', content: <List name="normal" /> },
      { title: 'Compact, with dates', content: <List name="compact" isCompact hasDates /> },
      { title: 'Wrapped', content: <List name="wrapped" isWrapped /> },
      {
        title: 'Found text, marks, highlights',
        content: (
          <List
            name="marked"
            find="slow"
            hits={[1, 5]}
            hasMarks
            isMarked={({ id }) => id === 'message-2'}
            highlightOf={({ id }) => (id === 'message-3' ? 3 : undefined)}
          />
        ),
      },
      {
        title: 'Of the search before',
        content: (
          <div inert>
            <List name="stale" isStale />
          </div>
        ),
      },
      {
        title: 'A row that is open',
        content: FIRST && (
          <List
            name="open"
            expanded={messageKey(FIRST)}
            renderDetail={(message) => <Detail message={message} tab="fields" />}
          />
        ),
      },
      { title: 'Narrow', content: <List name="narrow" isNarrow /> },
    ],
  },
  {
    name: 'MessageDetail',
    isWide: true,
    states:
      FIRST === undefined
        ? []
        : [
            { title: 'Fields', content: <Detail message={FIRST} tab="fields" /> },
            { title: 'JSON', content: <Detail message={FIRST} tab="json" /> },
            {
              title: 'Many fields',
              content: (
                <div className={classes.list}>
                  <Detail message={manyFields(FIRST)} tab="fields" />
                </div>
              ),
            },
          ],
  },
  {
    name: 'TimeChart',
    isWide: true,
    states: (['bar', 'line'] as const).map((kind) => ({
      title: kind === 'bar' ? 'Bars' : 'Lines',
      content: (
        <TimeChart
          kind={kind}
          title="Messages of two hosts"
          categories={COURSE.map((_, at) => `10:${String(at).padStart(2, '0')}`)}
          series={[
            { name: 'web-1', values: COURSE },
            { name: 'web-2', values: COURSE.toReversed() },
          ]}
        />
      ),
    })),
  },
];
