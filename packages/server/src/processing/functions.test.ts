import fs from 'node:fs';
import path from 'node:path';
import { checkRule, parseRule } from '@millrace/rules';
import { expect, test } from 'vitest';
import { CODECS } from '#codecs/index.ts';
import { fieldReader, type Message, monotonicClock } from '#core/index.ts';
import { NO_PIPELINES } from '#streams/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { FIXTURE_SOURCE } from '#testing/message-fixture.ts';
import { processingSnapshot, TEST_DEFAULT_STREAM, testStream } from '#testing/processing-snapshot.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { writableLookups } from '#testing/writable-lookups.ts';
import { createProcessor } from './processor.ts';
import { FUNCTIONS } from './rules/index.ts';

interface Case {
  readonly line: number;
  readonly given: string;
  readonly expected: string;
}

const FILE = path.join(import.meta.dirname, 'corpus/functions.txt');
const CASES: readonly Case[] = fs
  .readFileSync(FILE, 'utf8')
  .split('\n')
  .map((text, index) => ({ text, line: index + 1 }))
  .filter(({ text }) => text !== '' && !text.startsWith('#'))
  .map(({ text, line }) => {
    const [, given = '', expected = ''] = /^(.*) => (.*)$/.exec(text) ?? [];
    return { line, given, expected };
  });

const FRAME = `{"version":"1.1","host":"web-1","short_message":"GET /index.html 200","level":6,"timestamp":1500000000,
  "_n":5,"_d":2.5,"_big":9007199254740993,"_flag":true,"_s":"Some Text","_kv":"user=alice role=admin",
  "_ip":"192.168.1.77","_json":"{\\"a\\":{\\"b\\":[1,2,{\\"c\\":\\"x\\"}]},\\"big\\":9007199254740993,\\"f\\":1.0}"}`;

const OWNERS: Readonly<Record<string, { single: unknown; multi: unknown }>> = {
  'web-1': { single: 'Ann', multi: { value: 'Ann' } },
  5: { single: 17, multi: { value: 17 } },
  team: { single: null, multi: { value: ['Ann', 'Bob'] } },
  host: { single: null, multi: { os: 'linux', cpus: 4 } },
};

function processed(source: string): readonly Message[] {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const store = writableLookups();
  const processor = createProcessor(
    {
      metrics: createMetrics({ clock }),
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: () => {},
      clock,
      lookups: {
        lookup: (table, key) => (table === 'owners' ? OWNERS[key] : store.lookup(table, key)),
        change: store.change,
      },
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
        inputNames: [[FIXTURE_SOURCE.inputId, 'GELF UDP']],
      },
    }),
  );
  return processor.process(recordBatch([{ frame: FRAME }])).messages;
}

/** Big integers are written as numbers, as in the corpus. */
const asText = (value: unknown) =>
  typeof value === 'bigint' ? String(value) : (JSON.stringify(value === undefined ? null : value) ?? 'null');

function fieldsText(expected: string, message: Message | undefined): string {
  const names = Object.keys(JSON.parse(expected));
  const read = (name: string) =>
    message && (name === 'streams' ? message.streams : fieldReader(name)(message));
  return `{${names.map((name) => `${JSON.stringify(name)}:${asText(read(name))}`).join(',')}}`;
}

test.each(CASES)('$line: $given => $expected', ({ given, expected }) => {
  const isStatements = given.startsWith('> ');
  const source = `rule "r" when $message.source == "web-1" then ${
    isStatements ? given.slice(2) : `set_field("out", ${given});`
  } end`;
  const parsed = parseRule(source);
  expect(parsed.problems).toEqual([]);
  const problems = parsed.rule === undefined ? [] : checkRule(parsed.rule, source, FUNCTIONS).problems;
  if (expected.startsWith('refused: ')) {
    expect(problems.map(({ type }) => type)).toEqual([expected.slice(9)]);
    return;
  }
  expect(problems).toEqual([]);
  const [message] = processed(source);
  const error = message?.getField('gl2_processing_error');
  if (expected.startsWith('error: ')) {
    expect(error).toContain(expected.slice(7));
    return;
  }
  expect(error).toBeUndefined();
  if (isStatements) expect(fieldsText(expected, message)).toBe(expected);
  else expect(asText(message?.getField('out'))).toBe(expected);
});

test('the corpus has cases of every function, with wrong arguments too', () => {
  expect(CASES.length).toBeGreaterThan(300);
  const without = [...FUNCTIONS.keys()].filter(
    (name) => !CASES.some(({ given }) => given.includes(`${name}(`)),
  );
  expect(without).toEqual([]);
});

test('every function is documented', () => {
  for (const { name, description, params } of FUNCTIONS.values()) {
    expect(description, name).toMatch(/^[A-Z].*\.$|\}$/);
    for (const parameter of params) expect(parameter.description, `${name}.${parameter.name}`).not.toBe('');
  }
});
