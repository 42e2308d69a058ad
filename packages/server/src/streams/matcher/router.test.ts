import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createFaultLedger,
  createTimeGuard,
  type FieldValue,
  fieldReader,
  type Message,
  monotonicClock,
  type RoutingTarget,
  type TimeGuard,
} from '#core/index.ts';
import { aMessage, FIXTURE_SOURCE } from '#testing/message-fixture.ts';
import { type BuiltInRuleType, RULE_TYPE, type StreamDefinition, type StreamRule } from '../rules/rule.ts';
import { createStreamFaultCounter, type StreamFault } from './faults.ts';
import { compilePlan } from './plan.ts';
import { createStreamRouter, type StreamRouter } from './router.ts';
import { createRoutingTargets, type RoutingTargets } from './routing-targets.ts';

const DEFAULT = { id: '000000000000000000000001', indexSetId: 'default-set', outputIds: [] };
const FAILURES = { id: '000000000000000000000004', indexSetId: 'failure-set', outputIds: [] };

type RuleSketch = readonly [type: keyof typeof RULE_TYPE, field: string, value: string, inverted?: 'not'];

function stream(
  id: string,
  rules: readonly RuleSketch[],
  changes: Partial<StreamDefinition> = {},
): StreamDefinition {
  return {
    id,
    matchingType: 'AND',
    removeMatchesFromDefault: false,
    indexSetId: DEFAULT.indexSetId,
    outputIds: [],
    rules: rules.map(([type, field, value, inverted], index) => ({
      id: `${id}-${index}`,
      type: RULE_TYPE[type],
      field,
      value,
      inverted: inverted === 'not',
    })),
    ...changes,
  };
}

interface Routing {
  readonly router: StreamRouter;
  readonly targets: RoutingTargets;
  readonly faults: StreamFault[];
  readonly guardRuns: () => number;
}

function routing(
  streams: readonly StreamDefinition[],
  settings: { timeoutMs?: number; maxFaults?: number } = {},
): Routing {
  const timeoutMs = settings.timeoutMs ?? 2000;
  const ledger = createFaultLedger();
  const slots = new Map(streams.map(({ id }) => [id, ledger.slotOf(id)]));
  const faults: StreamFault[] = [];
  let runs = 0;
  const real = createTimeGuard();
  const guard: TimeGuard = {
    ...real,
    repeat(work, limit) {
      runs += 1;
      return real.repeat(work, limit);
    },
  };
  const counter = createStreamFaultCounter(
    { memory: ledger.memory, slots, maxFaults: settings.maxFaults ?? 3 },
    (fault) => faults.push(fault),
  );
  const plan = compilePlan(streams, { timeoutMs, nodeId: 'node-1' });
  const targets = createRoutingTargets(
    plan.streams.map(({ definition }) => definition),
    { defaultStream: DEFAULT, failureStream: FAILURES },
  );
  const deps = { guard, monotonic: monotonicClock, faults: counter, targets };
  const router = createStreamRouter(deps, plan, { timeoutMs });
  return { router, targets, faults, guardRuns: () => runs };
}

function route({ router, targets }: Routing, messages: readonly Message[]): RoutingTarget[] {
  const found = messages.map(() => targets.defaultTarget);
  router.route(messages, found);
  return found;
}

/** The ids of the streams, without the default stream. */
function streamsOf(streams: readonly StreamDefinition[], fields: Record<string, FieldValue>): string[] {
  const [target] = route(routing(streams), [aMessage(fields)]);
  return target!.streamIds.filter((id) => id !== DEFAULT.id);
}

describe('stream semantics', () => {
  test('AND, the default: all rules must match', () => {
    const streams = [
      stream('a', [
        ['exact', 'app', 'shop'],
        ['greater', 'level', '3'],
      ]),
    ];
    expect(streamsOf(streams, { app: 'shop', level: 4 })).toEqual(['a']);
    expect(streamsOf(streams, { app: 'shop', level: 3 })).toEqual([]);
    expect(streamsOf(streams, { level: 4 })).toEqual([]);
  });

  test('OR: at least one rule must match', () => {
    const rules: RuleSketch[] = [
      ['exact', 'app', 'shop'],
      ['regex', 'source', '^db-'],
    ];
    const streams = [stream('a', rules, { matchingType: 'OR' })];
    expect(streamsOf(streams, { app: 'shop' })).toEqual(['a']);
    expect(streamsOf(streams, { source: 'db-7' })).toEqual(['a']);
    expect(streamsOf(streams, { app: 'shop', source: 'db-7' })).toEqual(['a']);
    expect(streamsOf(streams, { app: 'blog' })).toEqual([]);
  });

  test('a stream without rules matches nothing, in both modes', () => {
    const streams = [stream('a', []), stream('b', [], { matchingType: 'OR' })];
    expect(streamsOf(streams, { app: 'shop' })).toEqual([]);
  });

  test('a message may belong to many streams', () => {
    const streams = ['c', 'a', 'b'].map((id) => stream(id, [['exact', 'app', 'shop']]));
    const [target] = route(routing(streams), [aMessage({ app: 'shop' })]);
    expect(target!.streamIds).toEqual([DEFAULT.id, 'a', 'b', 'c']);
  });

  test('every message is in the default stream', () => {
    const [target] = route(routing([]), [aMessage()]);
    expect(target).toEqual({ streamIds: [DEFAULT.id], indexSetIds: [DEFAULT.indexSetId], outputIds: [] });
  });

  test('a message leaves the default stream if one of its streams removes its matches from there', () => {
    const streams = [
      stream('a', [['exact', 'app', 'shop']], { removeMatchesFromDefault: true }),
      stream('b', [['presence', 'app', '']]),
    ];
    const [shop, blog] = route(routing(streams), [aMessage({ app: 'shop' }), aMessage({ app: 'blog' })]);
    expect(shop?.streamIds).toEqual(['a', 'b']);
    expect(blog?.streamIds).toEqual([DEFAULT.id, 'b']);
  });

  test('a message goes once to every index set of its streams', () => {
    const streams = [
      stream('a', [['exact', 'app', 'shop']]),
      stream('b', [['exact', 'app', 'shop']], { indexSetId: 'archive' }),
      stream('c', [['exact', 'app', 'shop']], { indexSetId: 'archive' }),
    ];
    const [target] = route(routing(streams), [aMessage({ app: 'shop' })]);
    expect(target?.indexSetIds).toEqual(['archive', DEFAULT.indexSetId]);
    const only = routing([
      stream('b', [['exact', 'app', 'shop']], { indexSetId: 'archive', removeMatchesFromDefault: true }),
    ]);
    expect(route(only, [aMessage({ app: 'shop' })])[0]?.indexSetIds).toEqual(['archive']);
  });

  test('messages with the same streams share one target', () => {
    const streams = [stream('a', [['exact', 'app', 'shop']]), stream('b', [['presence', 'user', '']])];
    const batch = [aMessage({ app: 'shop', user: 'x' }), aMessage({ user: 'y', app: 'shop' }), aMessage()];
    const targets = route(routing(streams), batch);
    expect(targets[0]).toBe(targets[1]);
    expect(targets[2]).not.toBe(targets[0]);
    expect(Object.isFrozen(targets[0]?.streamIds)).toBe(true);
  });

  test('rules can use built-in fields like any other', () => {
    const at = Date.UTC(2026, 0, 31, 12);
    const rules: RuleSketch[] = [
      ['exact', 'source', 'db-1'],
      ['exact', 'gl2_remote_ip', '10.0.0.1'],
      ['greater', 'gl2_remote_port', '1000'],
      ['exact', 'gl2_source_node', 'node-1'],
      ['regex', 'timestamp', '^2026-01-31T'],
      ['exact', 'timestamp', '2026-01-31T12:00:00.000Z'],
      ['contains', 'full_message', 'long'],
      ['input', '', FIXTURE_SOURCE.inputId.toUpperCase()],
    ];
    const fields = { source: 'db-1', gl2_remote_ip: '10.0.0.1', timestamp: at, full_message: 'a long one' };
    expect(streamsOf([stream('a', rules)], fields)).toEqual(['a']);
    expect(streamsOf([stream('a', rules)], { ...fields, gl2_remote_port: 0 })).toEqual([]);
    for (const rule of rules)
      expect(streamsOf([stream('a', [rule], { matchingType: 'OR' })], fields)).toEqual(['a']);
  });

  test('a stored rule that does not compile never matches, not even inverted', () => {
    const broken: RuleSketch = ['regex', 'message', '(', 'not'];
    expect(streamsOf([stream('a', [broken])], {})).toEqual([]);
    expect(streamsOf([stream('a', [broken, ['always', '', '']])], {})).toEqual([]);
    const either = stream('a', [broken, ['always', '', '']], { matchingType: 'OR' });
    expect(streamsOf([either], {})).toEqual(['a']);
  });

  test('streams that a message was added to before are kept', () => {
    const set = routing([
      stream('a', [['always', '', '']]),
      stream('b', [['exact', 'app', 'shop']]),
      stream('c', [['exact', 'app', 'shop']], { removeMatchesFromDefault: true }),
    ]);
    const { defaultTarget } = set.targets;
    const withB = set.targets.add(defaultTarget, 'b');
    const onlyB = set.targets.remove(withB, DEFAULT.id);
    const found = [withB, onlyB, withB, defaultTarget];
    set.router.route([aMessage(), aMessage(), aMessage({ app: 'shop' }), aMessage()], found);
    expect(found.map(({ streamIds }) => streamIds)).toEqual([
      [DEFAULT.id, 'a', 'b'],
      ['a', 'b'],
      ['a', 'b', 'c'],
      [DEFAULT.id, 'a'],
    ]);
  });

  test('matches are counted for each stream, the default stream included', () => {
    const set = routing([stream('a', [['exact', 'app', 'shop']]), stream('b', [['presence', 'app', '']])]);
    const found = route(set, [aMessage({ app: 'shop' }), aMessage({ app: 'blog' }), aMessage()]);
    for (const target of found) set.targets.count(target);
    const counts: [string, number][] = [];
    set.targets.takeCounts((id, count) => counts.push([id, count]));
    expect(counts.sort()).toEqual([
      [DEFAULT.id, 3],
      ['a', 1],
      ['b', 2],
    ]);
    set.targets.takeCounts((id) => expect.fail(`${id} is counted twice`));
  });
});

/** What a stream should match, by definition. */
function naiveMatch(definition: StreamDefinition, message: Message): boolean {
  if (definition.rules.length === 0) return false;
  const results = definition.rules.map((rule) => naiveRule(rule, message));
  return definition.matchingType === 'AND' ? results.every(Boolean) : results.some(Boolean);
}

function naiveRule({ type, field, value, inverted }: StreamRule, message: Message): boolean {
  if (type === RULE_TYPE.always) return true;
  const name = type === RULE_TYPE.input ? 'gl2_source_input' : field;
  const found = fieldReader(name)(message);
  if (type === RULE_TYPE.greater || type === RULE_TYPE.smaller) {
    if (found === undefined || typeof found === 'boolean') return false;
    if (typeof found === 'string' && (found.trim() === '' || Number.isNaN(Number(found)))) return false;
    const holds = type === RULE_TYPE.greater ? Number(found) > Number(value) : Number(found) < Number(value);
    return holds !== inverted;
  }
  if (found === undefined) return inverted;
  const text = String(found);
  const plain: Partial<Record<BuiltInRuleType, boolean>> = {
    [RULE_TYPE.exact]: text.trim() === value,
    [RULE_TYPE.regex]: type === RULE_TYPE.regex && new RegExp(value, 's').test(text),
    [RULE_TYPE.presence]: typeof found !== 'string' || found.trim() !== '',
    [RULE_TYPE.contains]: text.includes(value),
    [RULE_TYPE.input]: text.trim().toLowerCase() === value.trim().toLowerCase(),
  };
  return plain[type as BuiltInRuleType] !== inverted;
}

describe('against the definition', () => {
  const field = fc.constantFrom('a', 'b', 'c', 'source', 'level', 'message', 'full_message');
  const word = fc.constantFrom('x', 'y', 'xy', ' x ', '1', '2', '10', '', 'timeout of db', 'DB timeout');
  const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(
    word,
    fc.constantFrom<FieldValue>(1, 2, 10, 1.5, -1, true, false, 2n ** 60n),
  );
  const rule = fc
    .oneof(
      fc.tuple(
        fc.constantFrom<BuiltInRuleType>(1, 6),
        field,
        fc.constantFrom('x', 'xy', '1', '10', 'true', 'timeout', 'db timeout', ' of '),
      ),
      fc.tuple(
        fc.constant<BuiltInRuleType>(2),
        field,
        fc.constantFrom('x', '^y$', '.*x.*', 'x|1', '(x+)+$', '^.?$', '^timeout', 'time.ut of', 'of .*b$'),
      ),
      fc.tuple(fc.constantFrom<BuiltInRuleType>(3, 4), field, fc.constantFrom('1', '2', '1.5', '-5', '3')),
      fc.tuple(fc.constantFrom<BuiltInRuleType>(5, 7), field, fc.constant('')),
      fc.tuple(fc.constant<BuiltInRuleType>(8), fc.constant(''), fc.constantFrom('input-1', 'INPUT-2')),
    )
    .chain(([type, name, value]) =>
      fc.boolean().map((inverted) => ({ id: 'r', type, field: name, value, inverted })),
    );
  const definitions = fc
    .array(
      fc.record({
        matchingType: fc.constantFrom('AND' as const, 'OR' as const),
        removeMatchesFromDefault: fc.boolean(),
        indexSetId: fc.constantFrom('s1', 's2', 's3'),
        outputIds: fc.uniqueArray(fc.constantFrom('o1', 'o2'), { maxLength: 2 }),
        rules: fc.array(rule, { maxLength: 4 }),
      }),
      { maxLength: 25 },
    )
    .map((streams) => streams.map((one, index) => ({ id: `s${String(index).padStart(2, '0')}`, ...one })));
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fieldValue);
  const message = fc
    .record({
      more: fields,
      source: fc.constantFrom('x', 'y', '10'),
      level: fc.constantFrom(0, 1, 2, 3),
      text: fc.constantFrom('x', 'xy', 'y 1', 'a timeout of db', 'timeout'),
      long: fc.option(fc.constantFrom('x', ' '), { nil: undefined }),
      input: fc.constantFrom('input-1', 'input-2', 'input-3'),
    })
    .map(({ more, source, level, text, long, input }) =>
      aMessage({
        ...more,
        source,
        level,
        message: text,
        gl2_source_input: input,
        ...(long === undefined ? {} : { full_message: long }),
      }),
    );

  test('random streams route random messages as a naive matcher does', () => {
    fc.assert(
      fc.property(definitions, fc.array(message, { minLength: 1, maxLength: 8 }), (streams, messages) => {
        const targets = route(routing(streams), messages);
        for (const [index, target] of targets.entries()) {
          const matching = streams.filter((definition) => naiveMatch(definition, messages[index]!));
          const inDefault = !matching.some((definition) => definition.removeMatchesFromDefault);
          const all = [...(inDefault ? [DEFAULT] : []), ...matching];
          expect(target.streamIds).toEqual(all.map(({ id }) => id).sort());
          expect(target.indexSetIds).toEqual([...new Set(all.map(({ indexSetId }) => indexSetId))].sort());
          expect(target.outputIds).toEqual([...new Set(all.flatMap(({ outputIds }) => outputIds))].sort());
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Where nothing must be aborted, the limit is long, because the machine may be busy. */
describe('the time limit', () => {
  const CATASTROPHE: RuleSketch = ['regex', 'message', '^(a+)+$'];
  const evil = { message: `${'a'.repeat(60)}!` };

  test('ordinary rules and values need no guard', () => {
    const set = routing([
      stream('a', [['regex', 'message', '.*(timeout|refused).*']]),
      stream('b', [['regex', 'message', '^user=(\\w+) logged in from (.+)$']]),
      stream('c', [['regex', 'source', '(?i)^db-\\d+\\.example\\.org$']]),
    ]);
    route(set, [aMessage({ message: 'connection refused' }), aMessage({ message: 'x'.repeat(2000) })]);
    expect(set.guardRuns()).toBe(0);
  });

  test('a batch is guarded once, however many pairs need it', () => {
    const set = routing([stream('a', [CATASTROPHE]), stream('b', [['regex', 'message', '(a|aa)+b']])]);
    const messages = Array.from({ length: 100 }, (_, index) =>
      aMessage({ message: index % 2 ? 'aaa' : 'aab' }),
    );
    const targets = route(set, messages);
    expect(set.guardRuns()).toBe(1);
    expect(targets[0]?.streamIds).toEqual([DEFAULT.id, 'b']);
    expect(targets[1]?.streamIds).toEqual([DEFAULT.id, 'a']);
    expect(set.faults).toEqual([]);
  });

  test('beyond it the match is aborted, a fault is recorded, and the next pair is matched', () => {
    const set = routing(
      [
        stream('evil', [CATASTROPHE]),
        stream('good', [['regex', 'message', '^a']]),
        stream('other', [['regex', 'message', '(a|aa)+!$']]),
      ],
      { timeoutMs: 500 },
    );
    const targets = route(set, [aMessage({ message: 'aa' }), aMessage(evil), aMessage({ message: 'aaa!' })]);
    expect(targets.map((target) => target.streamIds)).toEqual([
      [DEFAULT.id, 'evil', 'good'],
      [DEFAULT.id, 'good', 'other'],
      [DEFAULT.id, 'good', 'other'],
    ]);
    expect(set.faults).toEqual([{ streamId: 'evil', count: 1 }]);
  });

  test('the stream does not match that message, not even in OR mode or inverted', () => {
    const set = routing(
      [
        stream('or', [CATASTROPHE, ['regex', 'message', '(a+)+!$']], { matchingType: 'OR' }),
        stream('not', [['regex', 'message', '^(a+)+$', 'not']]),
      ],
      { timeoutMs: 20 },
    );
    expect(route(set, [aMessage(evil)])[0]?.streamIds).toEqual([DEFAULT.id]);
    expect(set.faults.map(({ streamId }) => streamId).sort()).toEqual(['not', 'or']);
  });

  test('a rule that runs out of memory for its way back is a fault of its stream, and of nothing else', () => {
    const set = routing([
      stream('deep', [['regex', 'message', '^(?:(a)|(b)|(c)|(d))*x']]),
      stream('not', [['regex', 'message', '^(?:(a)|(b)|(c)|(d))*x', 'not']]),
      stream('good', [['regex', 'message', '^a']]),
    ]);
    const targets = route(set, [aMessage({ message: 'a'.repeat(4_000_000) }), aMessage({ message: 'ax' })]);
    expect(targets.map((target) => target.streamIds)).toEqual([
      [DEFAULT.id, 'good'],
      [DEFAULT.id, 'deep', 'good'],
    ]);
    expect(set.faults.map(({ streamId }) => streamId).sort()).toEqual(['deep', 'not']);
  });

  test('a stream that is decided without the slow rule does not run it', () => {
    const set = routing([
      stream('or', [CATASTROPHE, ['exact', 'app', 'shop']], { matchingType: 'OR' }),
      stream('and', [CATASTROPHE, ['exact', 'app', 'blog']]),
    ]);
    expect(route(set, [aMessage({ ...evil, app: 'shop' })])[0]?.streamIds).toEqual([DEFAULT.id, 'or']);
    expect([set.guardRuns(), set.faults]).toEqual([0, []]);
  });

  test('after too many faults the stream is ignored, even in the middle of a batch', () => {
    const streams = [stream('evil', [CATASTROPHE]), stream('good', [['regex', 'message', '^a+!$']])];
    const set = routing(streams, { timeoutMs: 10, maxFaults: 3 });
    const targets = route(
      set,
      Array.from({ length: 30 }, () => aMessage(evil)),
    );
    expect(set.faults.map(({ count }) => count)).toEqual([1, 2, 3, 4]);
    expect(targets.every((target) => target.streamIds.join() === `${DEFAULT.id},good`)).toBe(true);
    route(set, [aMessage(evil)]);
    expect(set.faults).toHaveLength(4);
  });

  test('after too many faults a stream matches no quick messages either', () => {
    const streams = [
      stream('or', [CATASTROPHE, ['exact', 'app', 'shop']], { matchingType: 'OR' }),
      stream('and', [CATASTROPHE, ['exact', 'app', 'shop']]),
      stream('good', [['exact', 'app', 'shop']]),
    ];
    const set = routing(streams, { timeoutMs: 10, maxFaults: 0 });
    const quick = aMessage({ message: 'aa', app: 'shop' });
    expect(route(set, [quick])[0]?.streamIds).toEqual([DEFAULT.id, 'and', 'good', 'or']);
    route(set, [aMessage({ ...evil, app: 'blog' }), aMessage({ ...evil, app: 'shop' })]);
    expect(set.faults.map(({ streamId }) => streamId).sort()).toEqual(['and', 'or']);
    expect(route(set, [quick])[0]?.streamIds).toEqual([DEFAULT.id, 'good']);
  });

  test('faults of another worker count', () => {
    const ledger = createFaultLedger();
    const slots = new Map([['s', ledger.slotOf('s')]]);
    const reports: StreamFault[] = [];
    const config = { memory: structuredClone(ledger.memory), slots, maxFaults: 1 };
    const one = createStreamFaultCounter(config, (fault) => reports.push(fault));
    const two = createStreamFaultCounter({ ...config, memory: ledger.memory }, (fault) =>
      reports.push(fault),
    );
    expect([one.record('s'), two.isExceeded('s'), two.record('s'), one.isExceeded('s')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(reports.map(({ count }) => count)).toEqual([1, 2]);
    expect(ledger.countOf('s')).toBe(2);
    ledger.set('s', 0);
    expect([ledger.countOf('s'), one.isExceeded('s')]).toEqual([0, false]);
  });

  test('the ledger grows with the streams and keeps its counts', () => {
    const ledger = createFaultLedger();
    const slots = new Map(Array.from({ length: 5000 }, (_, i) => [`s${i}`, ledger.slotOf(`s${i}`)]));
    const counter = createStreamFaultCounter({ memory: ledger.memory, slots, maxFaults: 3 }, () => {});
    counter.record('s4999');
    counter.record('s0');
    expect([ledger.countOf('s4999'), ledger.countOf('s0'), ledger.countOf('s1')]).toEqual([1, 1, 0]);
    expect(ledger.slotOf('s4999')).toBe(slots.get('s4999'));
  });
});
