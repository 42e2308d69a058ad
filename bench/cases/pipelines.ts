/**
 * What pipelines cost for one message: typical rules (a regular expression, grok, key-value pairs, a field, a value of
 * a lookup table), beside the same work written by hand in TypeScript. Microseconds on one thread for decoding, routing
 * and rules together, the best of several rounds that take turns. With many rules each message matches two of them, so
 * the figures show what the others cost. The last line is JSON.
 *
 * Every message has a time limit, because one text can keep a regular expression busy for ever. The work by hand runs
 * under the same limit, which costs a reading of the clock for each message: `x` compares what is left after taking off
 * a run without rules. `bare` is the work by hand without the limit, and `bareX` what the pipelines cost beside that.
 */
import { CODECS } from '../../packages/server/src/codecs/index.ts';
import {
  createTimeGuard,
  fieldReader,
  type Message,
  monotonicClock,
} from '../../packages/server/src/core/index.ts';
import { createWorkerLookups } from '../../packages/server/src/lookup/index.ts';
import { walkGuarded } from '../../packages/server/src/processing/framework/index.ts';
import { createProcessor, type MessageProcessor } from '../../packages/server/src/processing/index.ts';
import { NO_PIPELINES, type PipelineSettings } from '../../packages/server/src/streams/index.ts';
import { createMetrics } from '../../packages/server/src/telemetry/index.ts';
import { ManualClock } from '../../packages/server/src/testing/manual-clock.ts';
import {
  processingSnapshot,
  TEST_DEFAULT_STREAM,
  testStream,
} from '../../packages/server/src/testing/processing-snapshot.ts';
import { recordBatch } from '../../packages/server/src/testing/record-batch.ts';

const MESSAGES = 2000;
const ROUNDS = 100;
const STREAMS = 100;
const COUNTS = [1, 10, 50, 500];

type ByHand = (message: Message) => void;

interface Kind {
  rule(app: string): string;
  byHand(app: string): ByHand;
}

const app = fieldReader('app');
const pairs = fieldReader('pairs');
const REQUEST = /(\w+) (\S+) (\d+)/;
const GROK = /\b(?<method>\w+)\b (?<path>(?:\/[A-Za-z0-9$.+!*'(){},~:;=@#%_-]*)+)/;

/** The lookup table, as a worker has a file in its memory. */
const OWNERS = new Map(Array.from({ length: 250 }, (_, index) => [`app-${index}`, `owner ${index}`]));
const lookups = createWorkerLookups({ clock: new ManualClock(), send: () => {} });
const fallback = { single: null, multi: null };
/** Data in memory is not cached. */
const cache = { maxEntries: 1, afterAccessMs: 0, afterWriteMs: 0, emptyAfterWriteMs: 0 };
lookups.useSnapshot({
  tables: [{ name: 'owners', sourceId: 'csv', fallback, cache }],
  sources: new Map([['csv', { kind: 'map', entries: OWNERS, ignoresCase: false }]]),
});

const KINDS: readonly Kind[] = [
  {
    rule: (name) =>
      `$message.app == "${name}" then let m = regex("(\\\\w+) (\\\\S+) (\\\\d+)", to_string($message.message)); set_field("method", m["0"]); set_field("code", to_long(m["2"]));`,
    byHand: (name) => (message) => {
      if (app(message) !== name) return;
      const found = REQUEST.exec(message.message);
      if (found === null) return;
      message.setField('method', found[1] ?? '');
      message.setField('code', Number(found[3]));
    },
  },
  {
    rule: (name) =>
      `to_string($message.app) == "${name}" then set_fields(grok(pattern: "%{WORD:method} %{URIPATH:path}", value: to_string($message.message), only_named_captures: true));`,
    byHand: (name) => (message) => {
      if (String(app(message)) !== name) return;
      const { groups } = GROK.exec(message.message) ?? {};
      if (groups === undefined) return;
      for (const [field, value] of Object.entries(groups)) message.setField(field, value);
    },
  },
  {
    rule: (name) => `$message.app == "${name}" then set_fields(key_value(to_string($message.pairs)));`,
    byHand: (name) => (message) => {
      if (app(message) !== name) return;
      for (const pair of String(pairs(message)).split(' ')) {
        const at = pair.indexOf('=');
        if (at > 0) message.setField(pair.slice(0, at), pair.slice(at + 1));
      }
    },
  },
  {
    rule: (name) =>
      `has_field("pairs") and $message.app == "${name}" then set_field("team", concat("team of ", to_string($message.app)));`,
    byHand: (name) => (message) => {
      if (pairs(message) !== undefined && app(message) === name) message.setField('team', `team of ${name}`);
    },
  },
  {
    rule: (name) =>
      `$message.app == "${name}" then set_field("owner", lookup_value("owners", $message.app, "nobody"));`,
    byHand: (name) => (message) => {
      if (app(message) === name) message.setField('owner', OWNERS.get(name) ?? 'nobody');
    },
  },
];

/** Rule `i` is about application `i / 2`, so that each message matches two rules. */
const appOf = (index: number) => `app-${index >> 1}`;
const kindOf = (index: number) => KINDS[index % KINDS.length] as Kind;

function settings(count: number, isSpread: boolean): PipelineSettings {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const rules = indexes.map((index) => ({
    id: `r${index}`,
    name: `r${index}`,
    source: `rule "r${index}" when ${kindOf(index).rule(appOf(index))} end`,
    faultSlot: index,
  }));
  const stages = (wanted: readonly number[]) =>
    `stage 0 match pass ${wanted.map((index) => `rule "r${index}"`).join(' ')}`;
  const groups = isSpread
    ? Array.from({ length: STREAMS }, (_, stream) =>
        indexes.filter((index) => (index >> 1) % STREAMS === stream),
      )
    : [indexes];
  return {
    ...NO_PIPELINES,
    rules,
    pipelines: groups.map((group, index) => ({
      id: `p${index}`,
      name: `p${index}`,
      source: `pipeline "p${index}" ${stages(group)} end`,
    })),
    connections: groups.map((_, index) => ({
      streamId: isSpread ? `s${index}` : TEST_DEFAULT_STREAM.id,
      pipelineIds: [`p${index}`],
    })),
  };
}

function byHand(count: number, isGuarded: boolean): MessageProcessor {
  const all = Array.from({ length: count }, (_, index) => kindOf(index).byHand(appOf(index)));
  const guarded = { guard: createTimeGuard(), monotonic: monotonicClock };
  return {
    id: 'by hand',
    createStep: ({ streamTimeoutMs }) =>
      function byHandStep({ messages }) {
        const work = (index: number) => {
          const message = messages[index];
          if (message !== undefined) for (const one of all) one(message);
        };
        if (!isGuarded) for (let index = 0; index < messages.length; index++) work(index);
        else {
          const count = () => messages.length;
          walkGuarded(guarded, { count, timeoutMs: streamTimeoutMs, work, interrupted: () => {} });
        }
      },
  };
}

interface Measured {
  readonly pipelines?: PipelineSettings;
  readonly processors?: readonly MessageProcessor[];
  readonly hasStreams?: boolean;
}

/** The best of all rounds, for each. They take turns, so that a busy moment of the machine hurts all of them. */
function microseconds(count: number, measured: readonly Measured[]): number[] {
  const rounds = measured.map((one) => roundOf(count, one));
  const best = rounds.map(() => Number.POSITIVE_INFINITY);
  for (let number = 0; number < ROUNDS; number++) {
    for (const [index, round] of rounds.entries()) best[index] = Math.min(best[index] ?? 0, round());
  }
  return best;
}

/** A run over all messages: microseconds for one of them. */
function roundOf(
  count: number,
  { pipelines = NO_PIPELINES, processors = [], hasStreams = false }: Measured,
): () => number {
  const apps = Math.max(1, count >> 1);
  const records = recordBatch(
    Array.from({ length: MESSAGES }, (_, index) => ({
      frame: {
        version: '1.1',
        host: 'web-1',
        short_message: `GET /items/${index % 500}/details 200`,
        _app: `app-${index % apps}`,
        _stream: `s${(index % apps) % STREAMS}`,
        _pairs: 'user=alice role=admin session=4711',
      },
    })),
  );
  const processor = createProcessor(
    {
      metrics: createMetrics({ clock: new ManualClock() }),
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: () => {},
      lookups,
      messageProcessors: processors,
    },
    { partition: 'bench/0' },
  );
  const streams = Array.from({ length: hasStreams ? STREAMS : 0 }, (_, index) =>
    testStream(`s${index}`, {
      rules: [{ id: 'r', type: 1, field: 'stream', value: `s${index}`, inverted: false }],
    }),
  );
  processor.useSnapshot(processingSnapshot({ streams, pipelines }));
  return () => {
    const start = performance.now();
    processor.process(records);
    return ((performance.now() - start) * 1000) / MESSAGES;
  };
}

export async function run(): Promise<void> {
  const results: Record<string, number>[] = [];
  for (const count of COUNTS) {
    const [none = 0, bare = 0, hand = 0, rules = 0] = microseconds(count, [
      {},
      { processors: [byHand(count, false)] },
      { processors: [byHand(count, true)] },
      { pipelines: settings(count, false) },
    ]);
    const result = {
      rules: count,
      noneUs: none,
      bareUs: bare,
      byHandUs: hand,
      pipelinesUs: rules,
      x: (rules - none) / (hand - none),
      bareX: (rules - none) / (bare - none),
    };
    results.push(result);
    console.log(
      `${String(count).padStart(4)} rules: none ${none.toFixed(2)} µs, by hand ${hand.toFixed(2)} µs (bare ${bare.toFixed(2)} µs), pipelines ${rules.toFixed(2)} µs, ${result.x.toFixed(2)} x (bare ${result.bareX.toFixed(2)} x), ${Math.round(1e6 / rules)} messages/s`,
    );
  }
  const [noneStreams = 0, spread = 0] = microseconds(500, [
    { hasStreams: true },
    { hasStreams: true, pipelines: settings(500, true) },
  ]);
  console.log(
    `500 rules on ${STREAMS} streams: without ${noneStreams.toFixed(2)} µs, with ${spread.toFixed(2)} µs`,
  );
  console.log(JSON.stringify({ results, spread: { noneUs: noneStreams, pipelinesUs: spread } }));
}
