/** A simulation does what processing does. */
import { expect, test } from 'vitest';
import { NO_PIPELINES } from '#streams/index.ts';
import { processing } from '#testing/pipeline-processing.ts';
import { processingSnapshot, TEST_DEFAULT_STREAM, testStream } from '#testing/processing-snapshot.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { createSimulation, type SimulatedMessage } from './simulation/index.ts';

const RULES = {
  parse: 'has_field("pair") then set_fields(key_value(to_string($message.pair)));',
  clone:
    'has_field("twice") && ! has_field("copy") then set_field(field: "copy", value: true, message: clone_message());',
  make: 'has_field("makes") then set_field(field: "made", value: 1, message: create_message("new", "maker"));',
  drop: 'to_string($message.app) == "dropped" then drop_message();',
  route: 'to_string($message.app) == "blog" then route_to_stream(id: "blog", remove_from_default: true);',
  'in the blog': 'true then set_field("blogged", true);',
  fail: 'has_field("bad") then set_field("level", "high");',
  slow: 'regex("(x|xx)+y", to_string($message.slow)).matches == true then set_field("never", 1);',
};
const PIPELINES = {
  all: 'stage 0 match pass rule "parse" rule "clone" rule "make" stage 1 match pass rule "drop" rule "route" rule "fail" rule "slow"',
  blog: 'stage 5 match pass rule "in the blog"',
};
const CONNECTIONS = { [TEST_DEFAULT_STREAM.id]: ['all'], blog: ['blog'] };
const MESSAGES = [
  { pair: 'a=1 b=two' },
  { twice: 'yes', app: 'blog' },
  { makes: 'yes' },
  { app: 'dropped', twice: 'yes' },
  { app: 'blog' },
  { bad: 1 },
  { slow: 'x'.repeat(200) },
  { nothing: 'happens' },
];

test('its results are those of processing: fields, streams, clones, drops and errors', () => {
  const timeoutMs = 1000;
  const { processor } = processing({
    rules: RULES,
    pipelines: PIPELINES,
    connections: CONNECTIONS,
    timeoutMs,
    order: ['pipelines'],
  });
  const frames = MESSAGES.map((fields) => ({
    frame: {
      version: '1.1',
      host: 'h',
      short_message: 'm',
      timestamp: 1_767_225_600,
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`_${name}`, value])),
    },
  }));
  const real = frames.map((frame) => processor.process(recordBatch([frame])).messages);
  const simulation = createSimulation({
    isDetailed: true,
    limits: { textCharacters: 1000, messages: 10 },
    snapshot: processingSnapshot({
      streams: ['blog', 'mail', 'shop'].map((id) => testStream(id)),
      streamTimeoutMs: timeoutMs,
      pipelines: {
        ...NO_PIPELINES,
        rules: Object.entries(RULES).map(([name, text]) => ({
          id: name,
          name,
          source: `rule "${name}" when ${text} end`,
          faultSlot: 0,
        })),
        pipelines: Object.entries(PIPELINES).map(([id, stages]) => ({
          id,
          name: id,
          source: `pipeline "${id}" ${stages} end`,
        })),
        connections: Object.entries(CONNECTIONS).map(([streamId, pipelineIds]) => ({
          streamId,
          pipelineIds,
        })),
      },
    }),
  });
  const given = MESSAGES.map(
    (fields): SimulatedMessage => ({
      id: 'given',
      timestamp: 1_767_225_600_000,
      receivedAt: 1_767_225_600_000,
      streamIds: [TEST_DEFAULT_STREAM.id],
      fields: new Map<string, string | number>([
        ['source', 'h'],
        ['message', 'm'],
        ...Object.entries(fields),
      ]),
    }),
  );
  const { outcomes } = simulation.run(given);
  const simulated = outcomes.map(({ messages }) =>
    messages.map(({ fields, streamIds, timestamp }) => ({
      timestamp,
      streamIds,
      source: fields.get('source'),
      message: fields.get('message'),
      more: Object.fromEntries([...fields].filter(([name]) => !OWN.has(name))),
    })),
  );
  expect(simulated).toEqual(
    real.map((messages) =>
      messages.map((message) => {
        const more: Record<string, unknown> = {};
        message.forEachField((name, value) => {
          more[name] = value;
        });
        const { timestamp, streams, source, message: text } = message;
        return { timestamp, streamIds: streams, source, message: text, more };
      }),
    ),
  );
  expect(outcomes.map(({ messages, isDropped }) => [messages.length, isDropped])).toEqual([
    [1, false],
    [2, false],
    [2, false],
    [0, true],
    [1, false],
    [1, false],
    [1, false],
    [1, false],
  ]);
});

const OWN = new Set(['source', 'message', 'level', 'gl2_source_input', 'gl2_remote_ip', 'gl2_remote_port']);
