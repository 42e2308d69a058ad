/** Rules as people publish them for Graylog: they are checked, compiled, run on a message, and do what they say. */
import fs from 'node:fs';
import path from 'node:path';
import { checkRule, parseRule } from '@millrace/rules';
import { expect, test } from 'vitest';
import { CODECS } from '#codecs/index.ts';
import { fieldReader, type Message, monotonicClock } from '#core/index.ts';
import { NO_PIPELINES } from '#streams/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { processingSnapshot, TEST_DEFAULT_STREAM, testStream } from '#testing/processing-snapshot.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { createProcessor } from './processor.ts';
import { FUNCTIONS } from './rules/index.ts';

interface Case {
  readonly title: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly source: string;
  readonly expected: string;
}

const FILE = path.join(import.meta.dirname, 'corpus/rules.txt');
const CASES = fs
  .readFileSync(FILE, 'utf8')
  .split(/^--- /m)
  .slice(1)
  .map((text): Case => {
    const [, title = '', fields = '', source = '', expected = ''] =
      /^(.*)\n(.*)\n([\s\S]*?)\n=> (.*)\n/.exec(text) ?? [];
    return { title, fields: JSON.parse(fields), source, expected };
  });

const TABLES: Readonly<Record<string, Readonly<Record<string, { single: unknown; multi: unknown }>>>> = {
  places: {
    '192.0.2.55': {
      single: '52.5,13.4',
      multi: { coordinates: '52.5,13.4', country: { iso_code: 'DE' }, city: { names: { en: 'Berlin' } } },
    },
  },
  codes: { 4625: { single: 'failed logon', multi: { value: 'failed logon' } } },
};

function processed(source: string, { message, ...fields }: Readonly<Record<string, unknown>>) {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const processor = createProcessor(
    {
      metrics: createMetrics({ clock }),
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: () => {},
      clock,
      lookups: { lookup: (table, key) => TABLES[table]?.[key], change: () => undefined },
    },
    { partition: 'node-1/0' },
  );
  processor.useSnapshot(
    processingSnapshot({
      streams: [testStream('shop')],
      pipelines: {
        ...NO_PIPELINES,
        rules: [{ id: 'r1', name: 'r', source, faultSlot: 900 }],
        pipelines: [{ id: 'p1', name: 'p', source: 'pipeline "p" stage 0 match all rule "r" end' }],
        connections: [{ streamId: TEST_DEFAULT_STREAM.id, pipelineIds: ['p1'] }],
        streamNames: [['shop', 'The shop']],
        inputNames: [],
      },
    }),
  );
  const additional = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`_${name}`, value]));
  const standard = {
    version: '1.1',
    host: 'web-1',
    short_message: message ?? 'text',
    timestamp: 1_500_000_000,
  };
  return processor.process(recordBatch([{ frame: { ...standard, ...additional } }])).messages;
}

const read = (message: Message, name: string) =>
  (name === 'streams' ? message.streams : fieldReader(name)(message)) ?? null;

test.each(CASES)('$title', ({ fields, source, expected }) => {
  const parsed = parseRule(source);
  const checked = parsed.rule && checkRule(parsed.rule, source, FUNCTIONS);
  const problems = [...parsed.problems, ...(checked?.problems ?? [])].map(({ type }) => type);
  if (expected.startsWith('refused: ')) {
    expect(problems).toEqual([expected.slice(9)]);
    return;
  }
  expect(problems).toEqual([]);
  const [first] = processed(source, fields);
  const wanted: unknown = JSON.parse(expected);
  if (wanted === 'dropped') expect(first).toBeUndefined();
  else
    expect(
      Object.fromEntries(
        Object.keys(wanted as object).map((name) => [
          name,
          first === undefined ? 'dropped' : read(first, name),
        ]),
      ),
    ).toEqual(wanted);
});

test('none of them is left out', () => {
  expect(CASES.length).toBeGreaterThan(30);
  expect(CASES.filter(({ source, expected }) => source === '' || expected === '')).toEqual([]);
});
