import fs from 'node:fs';
import path from 'node:path';
import { type Argument, type Call, checkRule, parseRule } from '@millrace/rules';
import { describe, expect, test } from 'vitest';
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

function sourceOf(given: string): string {
  const statements = given.startsWith('> ') ? given.slice(2) : `set_field("out", ${given});`;
  return `rule "r" when $message.source == "web-1" then ${statements} end`;
}

test.each(CASES)('$line: $given => $expected', ({ given, expected }) => {
  const isStatements = given.startsWith('> ');
  const source = sourceOf(given);
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

describe('the corpus has, of every function,', () => {
  const calls = CASES.flatMap(({ given, expected }) => {
    const source = sourceOf(given);
    return callsIn(parseRule(source).rule).map((call) => ({ call, expected }));
  });
  const functionsWithout = (isWanted: (call: Call, expected: string) => boolean) => {
    const found = new Set(
      calls.filter(({ call, expected }) => isWanted(call, expected)).map(({ call }) => call.name),
    );
    return [...FUNCTIONS.keys()].filter((name) => !found.has(name));
  };
  const isRefused = (expected: string) => expected.startsWith('refused: ');
  const isFailing = (expected: string) => isRefused(expected) || expected.startsWith('error: ');

  test('a case with a result', () => {
    expect(CASES.length).toBeGreaterThan(300);
    expect(functionsWithout((_, expected) => !isFailing(expected) && expected !== 'null')).toEqual([]);
  });

  test('a case at the edge: something missing, empty, negative or huge, or without a result', () => {
    expect(
      functionsWithout((call, expected) => {
        if (isRefused(expected)) return false;
        return isFailing(expected) || expected === 'null' || call.args.length === 0 || call.args.some(isEdge);
      }),
    ).toEqual([]);
  });

  test('a case with an argument of a wrong type', () => {
    expect(
      functionsWithout((_, expected) => /^refused: incompatible_(argument_)?type$/.test(expected)),
    ).toEqual([]);
  });
});

/** All calls in a rule, wherever they are. */
function callsIn(part: unknown): Call[] {
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.values(part).flatMap(callsIn);
  return isCall(part) ? [part, ...inner] : inner;
}

function isCall(part: object): part is Call {
  return 'kind' in part && part.kind === 'call' && 'args' in part;
}

function isEdge({ value }: Argument): boolean {
  switch (value.kind) {
    case 'string':
      return value.value === '';
    case 'integer':
      return typeof value.value === 'bigint' || value.value < 0;
    case 'list':
      return value.elements.length === 0;
    case 'map':
      return value.entries.length === 0;
    case 'sign':
      return value.isNegative;
    case 'message-field':
      return value.field === 'missing' || value.field === 'big';
    case 'call':
      return value.args.some(isEdge);
    default:
      return false;
  }
}

test('every function is documented', () => {
  for (const { name, description, params } of FUNCTIONS.values()) {
    expect(description, name).toMatch(/^[A-Z].*\.$|\}$/);
    for (const parameter of params) expect(parameter.description, `${name}.${parameter.name}`).not.toBe('');
  }
});
