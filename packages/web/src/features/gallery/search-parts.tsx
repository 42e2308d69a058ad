import { parseQuery } from '@millrace/query';
import { ClausePills } from '../../components/clause-pills.tsx';
import { QueryEditor } from '../../components/query-editor.tsx';
import { StreamPicker } from '../../components/stream-picker.tsx';
import { TimePicker } from '../../components/time-picker.tsx';
import type { TimeRange } from '../../lib/time/index.ts';
import type { Exhibit } from './exhibit.ts';
import classes from './gallery.module.css';

const nothing = () => {};
const SPAN = { from: Date.UTC(2026, 10, 15, 9, 45), to: Date.UTC(2026, 10, 15, 10) };
const LONG = 'level:<=3 AND source:(web-1 OR web-2) AND NOT user:"ada lovelace" AND took_ms:[100 TO 900}';

function Editor({ value, id }: { readonly value: string; readonly id: string }) {
  const { problems } = parseQuery(value);
  return (
    <>
      <QueryEditor
        label={`Query, ${id}`}
        placeholder="Search in all messages"
        value={value}
        onChange={nothing}
        onRun={nothing}
        complete={async () => []}
        problems={problems}
        describedBy={`help-${id}`}
      />
      <span id={`help-${id}`}>{problems[0]?.message}</span>
    </>
  );
}

function Streams({ count, chosen }: { readonly count: number; readonly chosen: readonly string[] }) {
  const all = streams(count);
  return (
    <StreamPicker
      streams={all}
      total={count}
      find=""
      onFind={nothing}
      titles={Object.fromEntries(all.map(({ id, title }) => [id, title]))}
      chosen={chosen}
      onChange={nothing}
    />
  );
}

function Time({ range, isRun = true }: { readonly range: TimeRange; readonly isRun?: boolean }) {
  return (
    <TimePicker
      range={range}
      span={isRun ? SPAN : undefined}
      onChange={nothing}
      onShift={nothing}
      onZoomOut={nothing}
      onZoneChange={nothing}
      meaningOf={async () => SPAN}
    />
  );
}

const streams = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: String(at),
    title: at === 0 ? 'Web errors' : `Stream ${at}`,
  }));

export const SEARCH_PARTS: readonly Exhibit[] = [
  {
    name: 'QueryEditor',
    states: [
      { title: 'Empty', content: <Editor id="empty" value="" /> },
      { title: 'Coloured', content: <Editor id="coloured" value="level:<=3 AND source:web-*" /> },
      { title: 'Long', content: <Editor id="long" value={LONG} /> },
      { title: 'Wrong', content: <Editor id="wrong" value={'source:"web-1'} /> },
    ],
  },
  {
    name: 'ClausePills',
    isWide: true,
    states: [
      {
        title: 'On, negated, off, long',
        content: (
          <ClausePills
            pills={[
              { text: 'level:<=3', isNegated: false, isOff: false },
              { text: 'source:web-1', isNegated: true, isOff: false },
              { text: 'user:ann', isNegated: false, isOff: true },
              { text: `message:"${'a very long line of a log '.repeat(4)}"`, isNegated: false, isOff: false },
            ]}
            onFlip={nothing}
            onSwitch={nothing}
            onRemove={nothing}
            onEdit={() => true}
          />
        ),
      },
    ],
  },
  {
    name: 'TimePicker',
    states: [
      { title: 'Relative', content: <Time range={{ type: 'relative', from: 900, to: 0 }} /> },
      { title: 'From and to', content: <Time range={{ type: 'absolute', ...SPAN }} /> },
      { title: 'Words', content: <Time range={{ type: 'words', text: 'yesterday 14:00 to 16:00' }} /> },
      {
        title: 'Before the first run',
        content: <Time range={{ type: 'relative', from: 86_400, to: 0 }} isRun={false} />,
      },
    ],
  },
  {
    name: 'StreamPicker',
    states: [
      {
        title: 'All, one, several, one that is gone',
        content: (
          <div className={classes.row}>
            <Streams count={3} chosen={[]} />
            <Streams count={3} chosen={['0']} />
            <Streams count={20} chosen={['0', '1', '2']} />
            <Streams count={0} chosen={['5c3b']} />
          </div>
        ),
      },
    ],
  },
];
