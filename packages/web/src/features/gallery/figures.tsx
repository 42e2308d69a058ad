import { CodeSnippet } from '../../components/code-snippet.tsx';
import { ConfirmInline } from '../../components/confirm-inline.tsx';
import { DataTable, type DataTableProps } from '../../components/data-table.tsx';
import { LevelLabel } from '../../components/level-label.tsx';
import { LogText } from '../../components/log-text.tsx';
import { Rate } from '../../components/rate.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { ValueBars } from '../../components/value-bars.tsx';
import type { Exhibit } from './exhibit.ts';
import classes from './gallery.module.css';

const nothing = () => {};
const COURSE = [3, 4, 2, 8, 12, 9, 0, 0, 1, 5, 6, 7, 5, 4, 9, 14];
const VALUES = [
  { value: 'web-1', count: 710 },
  { value: 'web-2', count: 280 },
  { value: 'a-host-with-a-name-that-is-much-too-long-for-its-column.example.org', count: 4 },
];
const ROWS = [
  { id: '1', state: 'running', title: 'Web errors', rate: 41 },
  { id: '2', state: 'paused', title: 'Payments', rate: 0 },
];

type Row = (typeof ROWS)[number];

function Table(props: Partial<DataTableProps<Row>>) {
  return (
    <DataTable
      label="Streams"
      rows={ROWS}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'state',
          title: 'State',
          render: ({ state }) => <StateBadge tone={state === 'running' ? 'ok' : 'dim'}>{state}</StateBadge>,
        },
        { key: 'title', title: 'Stream', isSortable: true, render: ({ title }) => title },
        { key: 'rate', title: 'Rate', align: 'end', render: ({ rate }) => <Rate perSecond={rate} /> },
      ]}
      {...props}
    />
  );
}

export const FIGURES: readonly Exhibit[] = [
  {
    name: 'LevelLabel',
    states: [
      {
        title: 'All levels',
        content: (
          <div className={classes.row}>
            {Array.from({ length: 9 }, (_, level) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the level is the index
              <LevelLabel key={level} level={level} />
            ))}
          </div>
        ),
      },
    ],
  },
  {
    name: 'LogText',
    states: [
      {
        title: 'Found text',
        content: <LogText text="upstream timed out after 30 s" marks={[{ start: 9, length: 5 }]} />,
      },
      { title: 'Markup', content: <LogText text={'<script>alert("no")</script> <b>not bold</b> &amp;'} /> },
      {
        title: 'Terminal colours',
        content: (
          <LogText text={'\u001b[1;31mERROR\u001b[0m in \u001b[36mdb\u001b[0m \u001b[4mnow\u001b[0m'} />
        ),
      },
      {
        title: 'Control and bidi characters',
        content: <LogText text={'a\u0000b\u0007c \u202ereversed\u202c \u200bhidden'} />,
      },
      { title: 'One line', content: <LogText isOneLine text={'first line\n\tsecond line'} /> },
      { title: 'Link', content: <LogText text="see https://example.org/runbook?id=7." /> },
    ],
  },
  {
    name: 'DataTable',
    states: [
      {
        title: 'Rows',
        content: <Table />,
      },
      {
        title: 'Sorted, one selected, rows open',
        content: (
          <Table
            sort={{ column: 'title', order: 'asc' }}
            onSort={nothing}
            onOpen={nothing}
            selection={{ keys: new Set(['1']), onChange: nothing, labelOf: ({ title }) => `Select ${title}` }}
          />
        ),
      },
      {
        title: 'A question below a row',
        content: (
          <Table
            below={({ id }) =>
              id === '2' && (
                <ConfirmInline
                  question="Delete “Payments”? Its rules are lost."
                  action="Delete"
                  hasFocus={false}
                  onConfirm={nothing}
                  onCancel={nothing}
                />
              )
            }
          />
        ),
      },
      { title: 'No row', content: <Table rows={[]} /> },
    ],
  },
  {
    name: 'Figures',
    states: [
      { title: 'Sparkline', content: <Sparkline values={COURSE} label="Messages in the last hour" /> },
      {
        title: 'Sparkline of nothing',
        content: <Sparkline values={COURSE.map(() => 0)} label="No messages" />,
      },
      { title: 'ValueBars', content: <ValueBars values={VALUES} total={1000} /> },
      { title: 'ValueBars to choose', content: <ValueBars values={VALUES} onChoose={nothing} /> },
      {
        title: 'Rate',
        content: (
          <div className={classes.row}>
            <Rate perSecond={0} /> <Rate perSecond={0.3} /> <Rate perSecond={41} />{' '}
            <Rate perSecond={12_400} />
          </div>
        ),
      },
      { title: 'Timestamp', content: <Timestamp value="2026-11-15T09:59:59.120Z" precision="millisecond" /> },
      { title: 'Timestamp as age', content: <Timestamp value="2026-11-15T09:59:59.120+0000" show="age" /> },
      {
        title: 'CodeSnippet',
        content: (
          <CodeSnippet
            label="Command"
            code={`curl -d '{"short_message":"Hello","host":"my-machine","version":"1.1"}' \\\n  http://127.0.0.1:12202/gelf`}
          />
        ),
      },
    ],
  },
];
