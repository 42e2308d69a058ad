import { afterEach, describe, expect, test } from 'vitest';
import { createFaultLedger, createTimeGuard, type FieldValue, monotonicClock } from '#core/index.ts';
import {
  compilePlan,
  createRoutingTargets,
  createStreamFaultCounter,
  createStreamRouter,
  RULE_TYPE,
  requireValidRule,
  ruleTypes,
  type StreamRule,
} from '#streams/index.ts';
import { aMessage } from '#testing/message-fixture.ts';
import { createMatchThreads } from '../../streams/management/match-threads.ts';
import { createTestMatcher } from '../../streams/management/test-match.ts';
import type { PluginFault } from '../fault.ts';
import { createPluginGuards } from '../guard.ts';
import { WORKER_SEAMS } from '../loading/seams.ts';
import type { StreamRuleDefinition } from './stream-rule.ts';

const NUMBER = 200;
const DEFAULT = { id: 'default', indexSetId: 'set', outputIds: [] };
const registered: (() => void)[] = [];
afterEach(() => {
  for (const unregister of registered.splice(0)) unregister();
});

/** A type whose rules hold for texts that begin with their value. */
const begins: StreamRuleDefinition = {
  id: 'begins',
  name: 'Begins',
  number: NUMBER,
  verb: 'begins with',
  description: 'The text begins with the value.',
  compile(value) {
    if (value === 'nothing') throw new Error('begin with something');
    return (found) => String(found).startsWith(value);
  },
};

function add(changes: Partial<StreamRuleDefinition> = {}, worker: number | undefined = 0) {
  const ledger = createFaultLedger();
  const faults: PluginFault[] = [];
  const guards = createPluginGuards((fault) => faults.push(fault), {
    memory: { faults: ledger.memory, calls: new SharedArrayBuffer(8) },
    slots: new Map([['boat', ledger.slotOf('boat')]]),
    worker,
    limitMs: 60_000,
    maxFaults: 2,
  });
  const seam = WORKER_SEAMS['stream-rule']({ ...begins, ...changes }, guards.of('boat'));
  registered.push(seam.unregister);
  return { faults };
}

const rule = (changes: Partial<StreamRule> = {}): StreamRule => ({
  id: 'rule',
  type: NUMBER,
  field: 'app',
  value: 'sh',
  inverted: false,
  ...changes,
});

function routes(
  rules: readonly StreamRule[],
  messages: readonly Record<string, FieldValue>[],
  timeoutMs = 2000,
) {
  const definition = {
    id: 'a',
    matchingType: 'AND' as const,
    removeMatchesFromDefault: false,
    indexSetId: 'set',
    outputIds: [],
    rules,
  };
  const ledger = createFaultLedger();
  const streamFaults: string[] = [];
  const plan = compilePlan([definition], { timeoutMs, nodeId: 'node-1' });
  const targets = createRoutingTargets([definition], { defaultStream: DEFAULT, failureStream: DEFAULT });
  const router = createStreamRouter(
    {
      guard: createTimeGuard(),
      monotonic: monotonicClock,
      faults: createStreamFaultCounter(
        { memory: ledger.memory, slots: new Map([['a', ledger.slotOf('a')]]), maxFaults: 3 },
        ({ streamId }) => streamFaults.push(streamId),
      ),
      targets,
    },
    plan,
    { timeoutMs },
  );
  const found = messages.map(() => targets.defaultTarget);
  router.route(
    messages.map((fields) => aMessage(fields)),
    found,
  );
  return { matched: found.map(({ streamIds }) => streamIds.includes('a')), streamFaults };
}

describe('a stream rule of a plugin', () => {
  test('is listed, routes messages beside built-in rules, and can be inverted', () => {
    add();
    expect(ruleTypes().at(-1)).toMatchObject({ id: NUMBER, name: 'begins', shortDescription: 'begins with' });
    const messages = [{ app: 'shop', level: 3 }, { app: 'blog', level: 3 }, { app: 'ship', level: 6 }, {}];
    expect(routes([rule()], messages).matched).toEqual([true, false, true, false]);
    expect(routes([rule({ inverted: true })], messages).matched).toEqual([false, true, false, true]);
    const severe = rule({ id: 'severe', type: RULE_TYPE.smaller, field: 'level', value: '4' });
    expect(routes([severe, rule()], messages).matched).toEqual([true, false, false, false]);
  });

  test('says what is wrong with its value, which is no fault of the plugin', () => {
    const { faults } = add();
    expect(() => requireValidRule(rule())).not.toThrow();
    expect(() => requireValidRule(rule({ value: '' }))).toThrow('needs a value');
    expect(() => requireValidRule(rule({ value: 'nothing' }))).toThrow(
      'A rule of the type begins cannot use the value "nothing": begin with something',
    );
    expect(faults).toEqual([]);
  });

  test('never holds when its plugin is gone, even inverted', () => {
    const messages = [{ app: 'shop' }, {}];
    expect(() => requireValidRule(rule())).toThrow(
      'Unknown stream rule type 200; expected a number from 1 to 8',
    );
    expect(routes([rule()], messages).matched).toEqual([false, false]);
    expect(routes([rule({ inverted: true })], messages).matched).toEqual([false, false]);
  });

  test('that throws does not hold, even inverted, and counts until its plugin is switched off', () => {
    const { faults } = add({
      compile: () => () => {
        throw new Error('leak');
      },
    });
    const messages = Array.from({ length: 5 }, () => ({ app: 'shop' }));
    expect(routes([rule({ inverted: true })], messages).matched).toEqual(messages.map(() => false));
    expect(faults).toHaveLength(3);
    expect(faults[0]).toMatchObject({
      kind: 'call',
      message: expect.stringContaining('the stream rule begins: leak'),
    });
  });

  test('whose compilation is a mistake is refused, and a fault', () => {
    const { faults } = add({ compile: () => 7 as never });
    expect(() => requireValidRule(rule())).toThrow('compile did not return a function');
    expect(faults).toMatchObject([{ kind: 'call' }]);
    expect(routes([rule()], [{ app: 'shop' }]).matched).toEqual([false]);
  });

  test('that does not return in a worker is interrupted by the time limit of its stream', () => {
    add({
      compile: () => () => {
        for (;;) {
          // As a plugin that waits for something that nobody changes.
        }
      },
    });
    const { matched, streamFaults } = routes([rule()], [{ app: 'shop' }, { blog: 'shop' }], 20);
    expect(matched).toEqual([false, false]);
    expect(streamFaults).toEqual(['a']);
  });

  test.each([
    ['number 127', { number: 127 }, 'plugins use 128 to 239'],
    ['a number that is none', { number: 'a' as never }, 'plugins use 128 to 239'],
    ['no verb', { verb: '' }, 'has no verb'],
  ])('with %s is refused', (_, changes, reason) => {
    expect(() => add(changes)).toThrow(reason);
  });

  test('with the number of another one is refused', () => {
    add();
    expect(() => add({ id: 'other' })).toThrow('there is a stream rule type begins with the number 200');
    expect(() => add({ number: 201 })).toThrow('there is a stream rule type begins');
  });

  test('is tried on a message on the main thread, also beside rules that need a thread', async () => {
    add({}, undefined);
    const matcher = createTestMatcher(createMatchThreads(), { timeoutMs: 5000 });
    const slow = rule({ id: 'slow', type: RULE_TYPE.regex, field: 'message', value: '(a|b|ab)*c' });
    const message = `${'ab'.repeat(2000)}c`;
    const tried = (app: string, inverted = false) =>
      matcher.match({ matchingType: 'AND', rules: [rule({ inverted }), slow] }, { app, message });
    expect(await matcher.match({ matchingType: 'AND', rules: [rule()] }, { app: 'shop' })).toEqual({
      matches: true,
      rules: { rule: true },
    });
    expect(await tried('shop')).toEqual({ matches: true, rules: { rule: true, slow: true } });
    expect(await tried('blog')).toEqual({ matches: false, rules: { rule: false, slow: true } });
    expect(await tried('blog', true)).toEqual({ matches: true, rules: { rule: true, slow: true } });
  });

  test('never holds in a test of its stream when its plugin is gone, as in routing', async () => {
    const matcher = createTestMatcher(createMatchThreads(), { timeoutMs: 5000 });
    const shop = rule({ id: 'shop', type: RULE_TYPE.exact, value: 'shop' });
    const slow = rule({ id: 'slow', type: RULE_TYPE.regex, field: 'message', value: '(a|b|ab)*c' });
    const message = { app: 'shop', message: `${'ab'.repeat(2000)}c` };
    const tried = (matchingType: 'AND' | 'OR', ...others: StreamRule[]) =>
      matcher.match({ matchingType, rules: [rule({ inverted: true }), ...others] }, message);
    expect(await tried('AND', shop)).toEqual({ matches: false, rules: { rule: false, shop: true } });
    expect(await tried('OR', shop)).toEqual({ matches: true, rules: { rule: false, shop: true } });
    expect(await tried('AND', slow)).toEqual({ matches: false, rules: { rule: false, slow: true } });
    expect(await tried('OR', slow)).toEqual({ matches: true, rules: { rule: false, slow: true } });
  });
});
