/**
 * What routing costs for one message, with 10, 100 and 1000 streams of mixed rule types of which a few match;
 * and with one stream more whose regular expression needs the guard, so that every message is matched under
 * the time limit. µs on one thread, the best of several rounds: the work is synchronous and never waits, so
 * the best round is its CPU time. The last line is JSON.
 */
import {
  createFaultLedger,
  createFieldLayouts,
  createTimeGuard,
  Message,
  monotonicClock,
  type RoutingTarget,
} from '../../packages/server/src/core/index.ts';
import {
  compilePlan,
  createRoutingTargets,
  createStreamFaultCounter,
  createStreamRouter,
  type RoutingTargets,
  RULE_TYPE,
  type StreamDefinition,
  type StreamRouter,
  type StreamRule,
} from '../../packages/server/src/streams/index.ts';

const BATCH = 1000;
const ROUNDS = 25;
const TIMEOUT_MS = 2000;
const STREAM_COUNTS = [10, 100, 1000];
/** Exponential, so no text is safe without the guard; on these messages it fails soon. */
const UNSAFE = '^(\\w+\\s?)*;$';

type Sketch = readonly [type: keyof typeof RULE_TYPE, field: string, value: string, inverted?: boolean];

/** Ten kinds of streams in turn. */
function rulesOf(number: number): readonly Sketch[] {
  const kinds: readonly (readonly Sketch[])[] = [
    [
      ['exact', 'source', `web-${number}.example.org`],
      ['smaller', 'level', '4'],
    ],
    [['exact', 'client_ip', `10.0.${number >> 8}.${number & 255}`]],
    [['input', '', `68a1b2c3d4e5f6071829${String(number).padStart(4, '0')}`]],
    [
      ['greater', 'duration_ms', String(400 + number)],
      ['exact', 'method', 'POST'],
    ],
    [['contains', 'message', `item-${number} `]],
    [['regex', 'message', `tenant ${number} (failed|refused)$`]],
    [['presence', `field_${number}`, '']],
    [
      ['exact', 'path', `/admin/${number}`],
      ['exact', 'source', `db-${number}`],
    ],
    [
      ['presence', 'user_agent', ''],
      ['regex', 'source', `^db-${number}\\.`],
    ],
    [['regex', 'path', `(?i)^/API/v${number}/.*`]],
  ];
  return kinds[number % kinds.length] ?? [];
}

function streamOf(number: number, sketches = rulesOf(number)): StreamDefinition {
  const rules = sketches.map(
    ([type, field, value, inverted = false], index): StreamRule => ({
      id: `${number}-${index}`,
      type: RULE_TYPE[type],
      field,
      value,
      inverted,
    }),
  );
  return {
    id: String(number).padStart(24, '0'),
    matchingType: number % 10 === 7 ? 'OR' : 'AND',
    removeMatchesFromDefault: number % 50 === 0,
    indexSetId: `set-${number % 3}`,
    outputIds: [],
    rules,
  };
}

function messages(): Message[] {
  const layouts = createFieldLayouts();
  const origin = { inputId: '68a1b2c3d4e5f60718290002', remoteAddress: '192.0.2.7', remotePort: 40000 };
  return Array.from({ length: BATCH }, (_, i) => {
    const message = new Message({
      timestamp: Date.UTC(2026, 0, 1) + i,
      source: `web-${i % 40}.example.org`,
      message: `GET /api/v1/items/${(i * 37) % 10007} answered 200 in ${i % 500} ms for item-${i % 20} of tenant ${i % 9}`,
      fullMessage: undefined,
      level: i % 8,
      layout: layouts.empty(),
      values: [],
      notes: 0,
      origin,
      receivedAt: Date.UTC(2026, 0, 1) + i,
      size: 366,
    });
    message.setField('method', i % 3 === 0 ? 'POST' : 'GET');
    message.setField('path', `/api/v${i % 10}/items/${(i * 37) % 10007}`);
    message.setField('status', 200);
    message.setField('duration_ms', (i % 500) + 0.25);
    message.setField('client_ip', `10.0.${(i * 7) % 256}.${(i * 13) % 256}`);
    message.setField('user_agent', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0');
    message.setField('request_id', `${i}-4f3a-9b1c`);
    return message;
  });
}

const DEFAULT_STREAM = { id: '0'.repeat(23).concat('1'), indexSetId: 'set', outputIds: [] };
const FAILURE_STREAM = { id: '0'.repeat(23).concat('4'), indexSetId: 'set', outputIds: [] };

function routerOf(streams: readonly StreamDefinition[]): {
  router: StreamRouter;
  catalogue: RoutingTargets;
  faults: () => number;
} {
  const ledger = createFaultLedger();
  const slots = new Map(streams.map(({ id }) => [id, ledger.slotOf(id)]));
  let count = 0;
  const faults = createStreamFaultCounter({ memory: ledger.memory, slots, maxFaults: 3 }, () => {
    count += 1;
  });
  const plan = compilePlan(streams, { timeoutMs: TIMEOUT_MS, nodeId: 'node' });
  const catalogue = createRoutingTargets(
    plan.streams.map(({ definition }) => definition),
    { defaultStream: DEFAULT_STREAM, failureStream: FAILURE_STREAM },
  );
  const router = createStreamRouter(
    { guard: createTimeGuard(), monotonic: monotonicClock, faults, targets: catalogue },
    plan,
    { timeoutMs: TIMEOUT_MS },
  );
  return { router, catalogue, faults: () => count };
}

/** µs for one message in the best round. */
function measure(work: () => void, rounds = ROUNDS): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    work();
    best = Math.min(best, performance.now() - startedAt);
  }
  return Number(((best * 1000) / BATCH).toFixed(3));
}

function measureRouting(streams: readonly StreamDefinition[], batch: readonly Message[]) {
  const { router, catalogue, faults } = routerOf(streams);
  const targets = new Array<RoutingTarget>(batch.length);
  const us = measure(() => {
    targets.fill(catalogue.defaultTarget);
    router.route(batch, targets);
    for (let index = 0; index < batch.length; index++) {
      const target = targets[index] ?? catalogue.defaultTarget;
      const message = batch[index];
      if (message !== undefined) message.streams = target.streamIds;
      catalogue.count(target);
    }
  });
  const matched = targets.reduce((sum, target) => sum + target.streamIds.length, 0) / batch.length;
  return { us, matched: Number(matched.toFixed(2)), faults: faults() };
}

export async function run(): Promise<void> {
  const batch = messages();
  const results: Record<string, unknown> = {};
  for (const count of STREAM_COUNTS) {
    const streams = Array.from({ length: count }, (_, index) => streamOf(index));
    const guarded = [...streams, streamOf(count, [['regex', 'message', UNSAFE]])];
    const plain = measureRouting(streams, batch);
    const withGuard = measureRouting(guarded, batch);
    const compile = performance.now();
    compilePlan(streams, { timeoutMs: TIMEOUT_MS, nodeId: 'node' });
    const compileMs = Number((performance.now() - compile).toFixed(1));
    console.log(
      `${String(count).padStart(5)} streams: ${plain.us} µs a message (${plain.matched} streams each); with a guarded stream ${withGuard.us} µs; compiled in ${compileMs} ms`,
    );
    results[`streams_${count}`] = {
      us_per_message: plain.us,
      guarded_us_per_message: withGuard.us,
      streams_per_message: plain.matched,
      compile_ms: compileMs,
      faults: plain.faults + withGuard.faults,
    };
  }
  console.log(JSON.stringify({ case: 'routing', batch: BATCH, ...results }));
}
