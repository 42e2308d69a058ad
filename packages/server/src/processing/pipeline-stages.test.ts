import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '#core/index.ts';
import {
  type NaiveAction,
  type NaiveCondition,
  type NaiveMessage,
  type NaiveRule,
  type NaiveSetup,
  type NaiveStage,
  naiveStreamsOf,
  processedNaively,
  ruleText,
  stagesText,
} from '#testing/naive-pipelines.ts';
import { ALL, app, processing } from '#testing/pipeline-processing.ts';
import { testStream } from '#testing/processing-snapshot.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { MAX_ERROR_LENGTH, PROCESSING_ERROR_FIELD } from './framework/index.ts';

/** The last one takes its messages out of the default stream. */
const STREAMS = ['blog', 'mail', 'shop', 'only'];
const RULES = Array.from({ length: 8 }, (_, index) => `r${index}`);
const PIPELINES = ['a', 'b', 'c', 'd'];
const FIELDS = ['x', 'y'];
const VALUES = ['1', '2'];

const field = fc.constantFrom(...FIELDS);
const value = fc.constantFrom(...VALUES);
const stream = fc.constantFrom(...STREAMS, ALL);

const { condition } = fc.letrec<{ condition: NaiveCondition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: fc.constant<NaiveCondition>({ kind: 'true' }), weight: 4 },
    { arbitrary: fc.record({ kind: fc.constant('has' as const), field }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant('is' as const), field, value }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constantFrom('false' as const, 'broken' as const) }), weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('not' as const), inner: tie('condition') }), weight: 1 },
    {
      arbitrary: fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        left: tie('condition'),
        right: tie('condition'),
      }),
      weight: 3,
    },
  ),
}));

const action: fc.Arbitrary<NaiveAction> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('set' as const), field, value }), weight: 4 },
  { arbitrary: fc.record({ kind: fc.constant('remove' as const), field }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant('route' as const),
      stream: fc.oneof(stream, fc.constant('unknown')),
      leavesDefault: fc.boolean(),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ kind: fc.constant('unroute' as const), stream }), weight: 4 },
  {
    arbitrary: fc.record({
      kind: fc.constant('clone' as const),
      stream: fc.option(stream, { nil: undefined }),
    }),
    weight: 1,
  },
  {
    arbitrary: fc.record({ kind: fc.constantFrom('drop' as const, 'create' as const, 'fail' as const) }),
    weight: 1,
  },
);

const rule: fc.Arbitrary<NaiveRule> = fc.record({ condition, actions: fc.array(action, { maxLength: 3 }) });

const stage = fc.record({
  match: fc.constantFrom('all' as const, 'either' as const, 'pass' as const),
  // Some name a rule that does not exist.
  rules: fc.uniqueArray(fc.constantFrom(...RULES, 'nothing'), { maxLength: 6 }),
});

const pipeline: fc.Arbitrary<readonly NaiveStage[]> = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 }),
    fc.array(stage, { minLength: 3, maxLength: 3 }),
  )
  .map(([numbers, stages]) => numbers.flatMap((number, at) => ({ number, ...(stages[at] ?? NO_STAGE) })));
const NO_STAGE = { match: 'pass' as const, rules: [] };

const recordOf = <Value>(keys: readonly string[], each: fc.Arbitrary<Value>) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, each])));

const setups: fc.Arbitrary<NaiveSetup> = fc.record({
  rules: recordOf(RULES, rule),
  pipelines: recordOf(PIPELINES, pipeline),
  connections: recordOf([...STREAMS, ALL], fc.subarray(PIPELINES)),
});

interface Received {
  readonly app: string;
  readonly fields: Readonly<Record<string, string>>;
}

const received: fc.Arbitrary<Received> = fc.record({
  app: fc.constantFrom('none', ...STREAMS),
  fields: fc.dictionary(field, value),
});

const NAIVE_STREAMS = { running: [...STREAMS, ALL], default: ALL, leaving: ['only'] };

test('stages, routing, removal, dropping and new messages are as documented, whatever the pipelines are', () => {
  fc.assert(
    fc.property(setups, fc.array(received, { minLength: 1, maxLength: 4 }), (setup, messages) => {
      const expected = messages.flatMap((message) =>
        processedNaively(setup, NAIVE_STREAMS, naive(message)).map(naiveView),
      );
      const found = processed(setup, messages);
      expect(found.map(({ errors: _errors, ...each }) => each)).toEqual(
        expected.map((each, at) => asFarAsNamed(each, found[at])),
      );
    }),
    { numRuns: 200 },
  );
});

function naive({ app: name, fields }: Received): NaiveMessage {
  const matched = STREAMS.filter((id) => id === name);
  const streams = new Set(name === 'only' ? matched : [ALL, ...matched]);
  return { fields: new Map(Object.entries(fields)), streams, isDropped: false, failed: [] };
}

const naiveView = (message: NaiveMessage) => ({
  fields: [...FIELDS, 'trail', 'made'].map((name) => message.fields.get(name)),
  streams: naiveStreamsOf(message, ALL).toSorted(),
  failed: message.failed,
});

type NaiveView = ReturnType<typeof naiveView>;

function processed({ rules, pipelines, connections }: NaiveSetup, messages: readonly Received[]) {
  const { processor } = processing({
    rules: Object.fromEntries(Object.entries(rules).map(([name, each]) => [name, ruleText(name, each)])),
    pipelines: Object.fromEntries(Object.entries(pipelines).map(([id, stages]) => [id, stagesText(stages)])),
    connections,
    streams: STREAMS.map((id) => testStream(id, { removeMatchesFromDefault: id === 'only' })),
  });
  const records = messages.map(({ app: name, fields }) =>
    app(name, Object.fromEntries(Object.entries(fields).map(([key, each]) => [`_${key}`, each]))),
  );
  return processor.process(recordBatch(records)).messages.map(view);
}

const view = (message: Message) => ({
  fields: [...FIELDS, 'trail', 'made'].map((name) => message.getField(name)),
  streams: [...message.streams].sort(),
  failed: failedRules(errorsOf(message)),
  errors: errorsOf(message),
});

const errorsOf = (message: Message) => String(message.getField(PROCESSING_ERROR_FIELD) ?? '');

/** With very many errors the last ones are not named. */
function asFarAsNamed(expected: NaiveView, found: ReturnType<typeof view> | undefined): NaiveView {
  if (found === undefined || found.errors.length < MAX_ERROR_LENGTH) return expected;
  return { ...expected, failed: expected.failed.slice(0, found.failed.length) };
}

/** Conditions that fail are not compared: which of them are asked at all is not promised. */
function failedRules(error: string): readonly string[] {
  return [...error.matchAll(/For rule '(\w+)' \(actions\)/g)].map(([, name = '']) => name);
}
