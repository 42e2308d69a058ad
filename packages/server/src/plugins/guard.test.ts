import { describe, expect, test } from 'vitest';
import {
  type Condition,
  type ConditionParts,
  defineCondition,
  type EvaluationWindow,
} from '#alerts/service.ts';
import {
  createDecoder,
  DecodeFailure,
  type DecodeResult,
  decodeFrameByFrame,
  defineCodec,
} from '#codecs/index.ts';
import { createFaultLedger, createFieldLayouts, InvalidConfiguration, systemClock } from '#core/index.ts';
import { defineOutputType, RefusedError } from '#outputs/index.ts';
import { FUNCTIONS } from '#processing/rules/index.ts';
import { defineRotation, type Rotation } from '#storage/service.ts';
import { createLogger } from '#telemetry/index.ts';
import { aMessage, FIXTURE_SOURCE } from '#testing/message-fixture.ts';
import { anOutgoing } from '#testing/outgoing-message.ts';
import { createCallWatch } from './call-watch.ts';
import { containCodec } from './contain/codec.ts';
import { containCondition } from './contain/condition.ts';
import { containOutput } from './contain/output.ts';
import { containRotation } from './contain/strategy.ts';
import { jsonEncoding } from './encodings.ts';
import type { PluginFault } from './fault.ts';
import { createPluginGuards } from './guard.ts';
import { WORKER_SEAMS } from './loading/seams.ts';
import { pluginOfError } from './stray-errors.ts';

const logger = createLogger({ level: 'fatal', pretty: false });

function guarded(settings: { limitMs?: number; maxFaults?: number; worker?: undefined } = {}) {
  const ledger = createFaultLedger();
  const faults: PluginFault[] = [];
  const memory = { faults: ledger.memory, calls: new SharedArrayBuffer(8) };
  const guards = createPluginGuards((fault) => faults.push(fault), {
    memory,
    slots: new Map([['boat', ledger.slotOf('boat')]]),
    worker: 0,
    limitMs: 60_000,
    maxFaults: 2,
    ...settings,
  });
  const enable = () => ledger.set('boat', 0);
  return { guards, guard: guards.of('boat'), faults, memory, enable };
}

const fail = () => {
  throw new Error('leak');
};

test('on the main thread a call that never returns is broken off, named and counted, whatever it does', async () => {
  const { guard, faults } = guarded({ worker: undefined, limitMs: 50 });
  const patient = guarded({ worker: undefined, limitMs: 60_000 });
  const forever = () => {
    for (;;) {
      // A plugin that waits for something that nobody changes.
    }
  };
  const stubborn = () => {
    try {
      return forever();
    } catch {
      return 'caught';
    } finally {
      forever();
    }
  };
  expect(patient.guard.call('rowing', () => 7)).toBe(7);
  expect(() => guard.call('rowing', stubborn)).toThrow(
    'the plugin boat failed: rowing did not return and was broken off',
  );
  await expect(guard.run('sailing', async () => forever())).rejects.toThrow('sailing did not return');
  expect(() => patient.guard.call('rowing', () => patient.guard.call('in a boat', fail))).toThrow(
    'in a boat: leak',
  );
  expect([...faults, ...patient.faults].map(({ kind, message }) => [kind, message])).toEqual([
    ['blocked', 'rowing did not return and was broken off; the limit is 50 ms'],
    ['blocked', 'sailing did not return and was broken off; the limit is 50 ms'],
    ['call', expect.stringContaining('in a boat: leak')],
  ]);
});

describe('a guard', () => {
  test('passes results on, counts what is thrown, and calls nothing after too many faults', () => {
    const { guard, faults, enable } = guarded();
    expect(guard.call('rowing', () => 7)).toBe(7);
    for (let time = 1; time <= 3; time++) {
      expect(() => guard.call('rowing', fail)).toThrow(/^the plugin boat failed: rowing: leak \(at /);
      expect(guard.isOff()).toBe(time === 3);
    }
    expect(faults.map(({ kind, count }) => [kind, count])).toEqual([
      ['call', 1],
      ['call', 2],
      ['call', 3],
    ]);
    expect(() => guard.call('rowing', () => 7)).toThrow('the plugin boat is switched off');
    expect(guard.call('looking', () => 7, { evenWhenOff: true })).toBe(7);
    enable();
    expect(guard.call('rowing', () => 7)).toBe(7);
    expect(faults).toHaveLength(3);
  });

  test('what runs by itself is told once it is switched off', () => {
    const { guards, guard } = guarded({ maxFaults: 0 });
    const told: string[] = [];
    const forget = guard.onOff((reason) => told.push(reason));
    guards.record('boat', 'stray', 'sank');
    forget();
    guards.switchedOff(['boat', 'unknown']);
    expect(told).toEqual([expect.stringContaining('is switched off')]);
  });

  test('a rejection is no fault unless it is a mistake of the program', async () => {
    const { guard, faults } = guarded();
    const away = new Error('nobody there');
    await expect(guard.run('sending', () => Promise.reject(away))).rejects.toBe(away);
    const refused = new TypeError('fetch failed', { cause: away });
    await expect(guard.run('sending', () => Promise.reject(refused))).rejects.toBe(refused);
    expect(faults).toEqual([]);
    const mistake = async () => (undefined as unknown as { name: string }).name;
    await expect(guard.run('sending', mistake)).rejects.toThrow(
      'the plugin boat failed: sending: Cannot read',
    );
    expect(faults).toHaveLength(1);
  });

  test('a call that blocks for too long is a fault, although its result counts', () => {
    const { guard, faults } = guarded({ limitMs: 5 });
    const slow = () => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      return 'done';
    };
    expect(guard.call('rowing', slow)).toBe('done');
    expect(faults).toMatchObject([
      { kind: 'blocked', message: expect.stringContaining('the limit is 5 ms') },
    ]);
  });

  test('the main thread sees the call that does not return, also one inside of another', async () => {
    const { guard, memory } = guarded();
    let now = 0;
    const blocked: [number, number][] = [];
    const watch = createCallWatch(
      { monotonic: { now: () => now }, logger, blocked: (...found) => blocked.push(found) },
      { memory, workers: 1, limitMs: 1000 },
    );
    const check = async (at: number) => {
      now = at;
      await watch.runNow();
    };
    const inside: Promise<void>[] = [];
    guard.call('outer', () => guard.call('inner', () => inside.push(check(0))));
    await Promise.all(inside);
    await check(500);
    await check(5000);
    expect(blocked).toEqual([]);
    const calls = new Int32Array(memory.calls);
    calls[0] = 1;
    await check(6000);
    await check(7000);
    await check(7001);
    expect(blocked).toEqual([[0, 0]]);
    await check(9000);
    expect(blocked).toHaveLength(1);
  });

  test('a worker that starts has no call under way, whatever the one before it left', () => {
    const { memory } = guarded();
    const calls = new Int32Array(memory.calls);
    calls[0] = 1;
    const settings = { memory, slots: new Map(), limitMs: 1000, maxFaults: 2 };
    createPluginGuards(() => {}, { ...settings, worker: undefined });
    expect(calls[0]).toBe(1);
    createPluginGuards(() => {}, { ...settings, worker: 0 });
    expect(calls[0]).toBe(0);
  });

  test('an error that nobody caught belongs to the plugin whose file threw it', () => {
    const plugins = [{ name: 'boat', root: '/plugins/boat', entry: '/plugins/boat/index.js', sha256: '' }];
    const thrown = (...frames: string[]) =>
      Object.assign(new Error('x'), {
        stack: ['Error: x', ...frames.map((at) => `    at ${at}`)].join('\n'),
      });
    const own = 'Socket.<anonymous> (file:///plugins/boat/lib/a.js:3:4)';
    const node = 'emit (node:events:1:2)';
    const ours = 'run (file:///millrace/a.ts:1:2)';
    expect(pluginOfError(thrown(node, own, ours), plugins)).toBe('boat');
    expect(pluginOfError(thrown('/plugins/boat/index.js:3:4'), plugins)).toBe('boat');
    expect(pluginOfError(thrown(ours, own), plugins)).toBeUndefined();
    expect(pluginOfError(thrown('x (file:///plugins/boat-2/a.js:3:4)'), plugins)).toBeUndefined();
    expect(pluginOfError('text', plugins)).toBeUndefined();
  });
});

describe('a contained codec', () => {
  const codec = defineCodec({
    id: 'shout',
    wireType: 'shout',
    journalId: 200,
    name: 'Shout',
    description: 'Throws at what is loud.',
    fields: {},
    failureReasons: ['loud'],
    create: () =>
      decodeFrameByFrame((frame) => {
        if (String(frame) === 'LOUD') throw new Error('too loud');
        return aMessage({ message: String(frame) });
      }),
  });

  test('makes a failure of each frame at fault, and of all of them while it is switched off', () => {
    const { guard } = guarded({ maxFaults: 3 });
    const decoder = createDecoder(containCodec(codec, guard), { layouts: createFieldLayouts() });
    const decode = () => {
      const results: unknown[] = [];
      const columns = {
        bytes: Buffer.from('lowLOUDlow'),
        frameStarts: [0, 3, 7],
        frameEnds: [3, 7, 10],
        receivedAt: [0, 0, 0],
        sources: [FIXTURE_SOURCE, FIXTURE_SOURCE, FIXTURE_SOURCE],
      };
      decoder.decodeBatch(columns, 0, 3, results as never);
      return results.map((result) => (result instanceof DecodeFailure ? result.detail : 'ok'));
    };
    expect(decode()).toEqual(['ok', expect.stringContaining('too loud'), 'ok']);
    decode();
    expect(decode()).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('switched off')));
  });

  test.each([
    ['a promise', 'but a promise', async () => aMessage({})],
    ['a plain object', 'but object', () => ({ message: 'low' })],
    ['nothing', 'neither a Message nor a DecodeFailure', () => undefined],
    ['a text that is a number', 'message is not', () => aMessage({ message: 7 as never })],
    ['a source that is a number', 'source is not', () => aMessage({ source: 7 as never })],
    ['a time that is none', 'timestamp is not', () => Object.assign(aMessage({}), { timestamp: Number.NaN })],
    ['a message from nowhere', 'origin is not', () => Object.assign(aMessage({}), { origin: undefined })],
  ])('that returns %s makes a failure of the frame, which is a fault', (_, problem, decode) => {
    const { guard, faults } = guarded({ maxFaults: 9 });
    expect(decodedOnce(decode, guard)).toEqual({
      reason: 'codec_error',
      detail: expect.stringContaining(problem),
    });
    expect(faults).toMatchObject([{ kind: 'call' }]);
  });

  test('whose failure has a reason that the codec does not name says so in the failure', () => {
    const { guard, faults } = guarded();
    expect(decodedOnce(() => new DecodeFailure('fog', 'nothing to be seen'), guard)).toEqual({
      reason: 'codec_error',
      detail: 'nothing to be seen (fog, which is not among the failureReasons of the codec)',
    });
    expect(decodedOnce(() => new DecodeFailure('loud', 'too loud'), guard)).toEqual({
      reason: 'loud',
      detail: 'too loud',
    });
    expect(faults).toEqual([]);
  });

  function decodedOnce(decode: () => unknown, guard: ReturnType<typeof guarded>['guard']) {
    const other = defineCodec({ ...codec, create: () => decodeFrameByFrame(decode as never) });
    const decoder = createDecoder(containCodec(other, guard), { layouts: createFieldLayouts() });
    const results: DecodeResult[] = [];
    const columns = {
      bytes: Buffer.from('low'),
      frameStarts: [0],
      frameEnds: [3],
      receivedAt: [0],
      sources: [FIXTURE_SOURCE],
    };
    decoder.decodeBatch(columns, 0, 1, results);
    const [result] = results;
    return result instanceof DecodeFailure ? { reason: result.reason, detail: result.detail } : 'ok';
  }

  test('that cannot be created is one that is not configured', () => {
    const { guard } = guarded();
    const broken = containCodec({ ...codec, create: fail }, guard);
    expect(broken.create({ layouts: createFieldLayouts() }, {})).toBeInstanceOf(InvalidConfiguration);
  });
});

describe('a contained function', () => {
  const checked = (checkConstants: () => readonly never[]) => {
    const { guard, faults } = guarded({ maxFaults: 0 });
    const definition = {
      name: 'hoist',
      description: 'Hoists a flag.',
      params: [],
      returns: 'Void',
      checkConstants,
      call: () => undefined,
    };
    const { unregister } = WORKER_SEAMS.function(definition, guard);
    const check = FUNCTIONS.get('hoist')?.checkConstants;
    unregister();
    return { check: () => check?.(new Map()), faults };
  };

  test.each([
    ['throws', fail],
    ['returns something else', () => 7 as never],
    ['returns entries that are none', () => [undefined] as never],
  ])('whose check of constants %s has no problems, and a fault', (_, checkConstants) => {
    const { check, faults } = checked(checkConstants);
    expect([check(), check()]).toEqual([[], []]);
    expect(faults).toMatchObject([
      { kind: 'call', message: expect.stringContaining('the check of constants of the function hoist') },
    ]);
  });

  test('says the problems it finds', () => {
    const problem = { parameter: 'flag', message: 'is torn' };
    expect(checked(() => [problem] as never).check()).toEqual([problem]);
  });
});

describe('a contained output', () => {
  const context = {
    outputId: 'output',
    partition: 0,
    filesDirectory: '',
    clock: systemClock,
    logger,
    lost: () => {},
  };
  const signal = new AbortController().signal;

  interface Parts {
    readonly encode?: () => Buffer;
    readonly isOwn?: boolean;
    readonly create?: () => never;
    readonly maxFaults?: number;
  }

  const definition = (parts: Parts) => ({
    id: 'boat-output',
    wireType: 'boat-output',
    name: 'Boat',
    description: 'A boat.',
    fields: {},
    encoding: () =>
      parts.isOwn ? jsonEncoding() : { key: 'own', create: () => ({ encode: parts.encode ?? fail }) },
    create: parts.create ?? (() => ({ send: async () => {}, close: async () => true })),
  });

  function output(parts: Parts) {
    const { guard, faults } = guarded({ maxFaults: parts.maxFaults ?? 0 });
    const type = containOutput(defineOutputType(definition(parts)), guard);
    const plan = type.plan({});
    const created = type.create(context, {});
    if (plan instanceof InvalidConfiguration || created instanceof InvalidConfiguration)
      throw new Error('invalid');
    return { plan, created, faults };
  }

  test('refuses what its encoder failed on, so that it becomes a failure', async () => {
    const { plan, created, faults } = output({ maxFaults: 1 });
    const payload = plan.encoding.create().encode(aMessage({ message: 'kept' }));
    expect(payload.toString()).toContain('"message":"kept"');
    expect(faults).toHaveLength(1);
    const sending = created.send([anOutgoing(payload)], signal);
    await expect(sending).rejects.toBeInstanceOf(RefusedError);
  });

  test('refuses nothing while its plugin is off: messages wait in the queue', async () => {
    const { plan, created, faults } = output({});
    const encoder = plan.encoding.create();
    const payloads = [encoder.encode(aMessage({})), encoder.encode(aMessage({}))];
    expect(faults).toHaveLength(1);
    const sending = () => created.send([anOutgoing(payloads[1] as Buffer)], signal);
    await expect(sending()).rejects.toThrow('switched off');
    await expect(sending()).rejects.not.toBeInstanceOf(RefusedError);
  });

  test.each([
    ['messages', { limits: () => ({ messages: 0 }) }],
    ['messages', { limits: () => ({ messages: undefined as never }) }],
    ['bytes', { limits: () => ({ bytes: Number.NaN }) }],
    ['lingerMs', { limits: () => ({ lingerMs: -1 }) }],
    ['retryDelayMs', { retryDelayMs: () => Number.NaN }],
  ])('whose %s is not a number it can work with is not configured, and that is a fault', (name, parts) => {
    const { guard, faults } = guarded();
    const plan = containOutput(defineOutputType({ ...definition({}), ...parts }), guard).plan({});
    expect(plan).toBeInstanceOf(InvalidConfiguration);
    expect(plan).toMatchObject({ text: expect.stringContaining(`its ${name} is`) });
    expect(faults).toMatchObject([{ kind: 'call' }]);
  });

  test('whose creation throws only fails to connect', async () => {
    const { created, faults } = output({ create: fail });
    await expect(created.connect?.(signal)).rejects.toThrow(
      'the plugin boat failed: creating boat-output: leak',
    );
    expect(faults).toHaveLength(1);
    expect(await created.close(signal)).toBe(false);
  });

  test('with an encoding of ours queues messages also while its plugin is off', async () => {
    const { plan, created } = output({ isOwn: true, create: fail });
    await expect(created.connect?.(signal)).rejects.toThrow('leak');
    await expect(created.connect?.(signal)).rejects.toThrow('switched off');
    expect(String(plan.encoding.create().encode(aMessage({ message: 'waits' })))).toMatch(/^\{.*"waits"/);
  });
});

describe('instances of classes keep their own state', () => {
  test('as a rotation', () => {
    class Tides implements Rotation {
      readonly #height = 7;
      readonly limit = { messages: 3 };
      due() {
        return `at ${this.#height}`;
      }
      lasts() {
        return this.#height;
      }
    }
    const type = defineRotation({
      id: 'boat.tides',
      wireType: 'boat.Tides',
      name: 'Tides',
      description: '',
      configWireType: 'boat.TidesConfig',
      fields: {},
      create: () => new Tides(),
    });
    const rotation = containRotation(type, guarded().guard).create(undefined, {}) as Rotation;
    expect(rotation.due({} as Parameters<Rotation['due']>[0], 0)).toBe('at 7');
    expect(rotation.lasts?.({} as Parameters<NonNullable<Rotation['lasts']>>[0])).toBe(7);
    expect(rotation.limit).toEqual({ messages: 3 });
  });

  test('as a condition', () => {
    class Leak implements ConditionParts {
      readonly #holes = 2;
      readonly threshold = 1;
      get summary() {
        return `${this.#holes} holes`;
      }
      measurement(): never {
        throw new Error(this.summary);
      }
      judge() {
        return this.#holes > 1 ? [] : [];
      }
    }
    const type = defineCondition({
      id: 'boat.leak',
      wireType: 'boat.Leak',
      name: 'Leak',
      description: '',
      fields: {},
      judgeBy: () => new Leak(),
    });
    const condition = containCondition(type, guarded().guard).create(undefined, {}) as Condition;
    expect(condition.summary).toBe('2 holes');
    expect(condition.threshold).toBe(1);
    expect(() => condition.measurement({ end: 0 } as EvaluationWindow)).toThrow('2 holes');
    expect(condition.judge({} as Parameters<Condition['judge']>[0], { end: 0 } as EvaluationWindow)).toEqual(
      [],
    );
  });
});
