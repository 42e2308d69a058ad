import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFaultLedger, type Message } from '#core/index.ts';
import { PIPELINES_PROCESSOR, STREAM_RULES_PROCESSOR } from '#streams/index.ts';
import { ALL, app, BREAK, mark, processing, type Setup, trails } from '#testing/pipeline-processing.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { undoableSeams } from '#testing/undoable-seams.ts';
import { pipelineFunction } from '../plugins/definition.ts';
import type { PluginFault } from '../plugins/fault.ts';
import { createPluginGuards } from '../plugins/guard.ts';
import { registerPlugin } from '../plugins/loading/load.ts';
import { WORKER_SEAMS } from '../plugins/loading/seams.ts';
import { defineFunction, FUNCTIONS, registerFunction, required } from './rules/index.ts';

describe('stages', () => {
  test('run by their numbers, those of all pipelines together', () => {
    const rules = { a: mark('a'), b: mark('b'), c: mark('c'), d: mark('d') };
    const pipelines = {
      one: 'stage 0 match all rule "a" stage 10 match all rule "d"',
      two: 'stage 5 match all rule "c" stage 1 match all rule "b"',
    };
    expect(trails({ rules, pipelines })).toEqual(['abcd']);
  });

  test.each([
    ['all', 'yes yes', 'yyz'],
    ['all', 'yes no', 'y'],
    ['either', 'yes no', 'yz'],
    ['either', 'no no', undefined],
    ['pass', 'no no', 'z'],
    ['all', '', 'z'],
    ['either', '', 'z'],
    ['either', 'missing', undefined],
  ])('match %s with %s goes as far as %s', (match, conditions, expected) => {
    const rules = { yes: mark('y'), no: mark('n', 'false'), last: mark('z') };
    const names = conditions.split(' ').filter((name) => name !== '');
    const stage = `stage 0 match ${match} ${names.map((name) => `rule "${name}"`).join(' ')}`;
    expect(trails({ rules, pipelines: { p: `${stage} stage 1 match all rule "last"` } })).toEqual([expected]);
  });

  test('one pipeline that ends does not end another', () => {
    const rules = { no: mark('n', 'false'), a: mark('a'), b: mark('b') };
    const pipelines = {
      one: 'stage 0 match all rule "no" stage 1 match all rule "a"',
      two: 'stage 0 match all stage 1 match all rule "b"',
    };
    expect(trails({ rules, pipelines })).toEqual(['b']);
  });

  test('ask all conditions before the first action; the next stage sees the changes', () => {
    const rules = {
      set: mark('s', 'not has_field("x")', 'set_field("x", 1);'),
      same: mark('t', 'not has_field("x")'),
      later: mark('l', 'has_field("x")'),
    };
    const pipelines = { p: 'stage 0 match all rule "set" rule "same" stage 1 match all rule "later"' };
    expect(trails({ rules, pipelines })).toEqual(['stl']);
  });

  test('many rules: only those that may match are asked, in their order', () => {
    const count = 60;
    const names = Array.from({ length: count }, (_, index) => `r${index}`);
    const rules = Object.fromEntries(
      names.map((name, index) => {
        const forms = [
          `$message.app == "${index}"`,
          `to_string($message.app) == "${index}" and has_field("n")`,
          `has_field("f${index}")`,
          `$message.n == ${index}`,
          `to_long($message.n) > ${index}`,
        ];
        return [name, mark(`${name}.`, forms[index % 5])];
      }),
    );
    const pipelines = { p: `stage 0 match either ${names.map((name) => `rule "${name}"`).join(' ')}` };
    const records = [app('0', { _n: 8, _f12: 1 }), app('1', { _n: 5 }), app('6'), app('7', { _f7: 'x' })];
    expect(trails({ rules, pipelines }, records)).toEqual(['r0.r4.r8.r12.', 'r1.r4.', undefined, 'r7.']);
  });
});

describe('errors', () => {
  test('are noted on the message; the rest of the stage does not run, later stages do', () => {
    const rules = { bad: mark('b', 'true', 'set_field("level", "x");'), same: mark('s'), later: mark('l') };
    const pipelines = { p: 'stage 0 match all rule "bad" rule "same" stage 1 match all rule "later"' };
    const { processor, metrics } = processing({ rules, pipelines });
    const [message] = processor.process(recordBatch([app('none')])).messages;
    expect(message?.getField('trail')).toBe('bl');
    expect(message?.getField('gl2_processing_error')).toMatch(
      /^For rule 'bad' \(actions\): In call to function 'set_field' at 1:\d+: the level of a message is an integer/,
    );
    expect(metrics.get('millrace.processing.rule_errors')?.metric).toMatchObject({ count: 1 });
  });

  test('in the index of a stage, or anywhere else, end no batch', () => {
    const broken = (name: string) => `to_string($message.timestamp) == "${name}" then set_field("a", 1);`;
    const rules = { a: broken('a'), b: broken('b'), c: broken('c'), good: mark('g') };
    const pipelines = { p: 'stage 0 match pass rule "a" rule "b" rule "c" rule "good"' };
    const { processor } = processing({ rules, pipelines, order: [BREAK.id, PIPELINES_PROCESSOR] });
    const [message] = processor.process(recordBatch([app('none')])).messages;
    expect(message?.getField('trail')).toBe('g');
    expect(message?.getField('gl2_processing_error')).toContain('milliseconds since 1970 are not a date');
  });

  test('of a condition that several rules share name each of them', () => {
    const broken = mark('b', 'array_contains("no list", "x")');
    const pipelines = { p: 'stage 0 match pass rule "one" rule "two"' };
    const { processor, metrics } = processing({ rules: { one: broken, two: broken }, pipelines });
    const [message] = processor.process(recordBatch([app('none')])).messages;
    expect(message?.getField('trail')).toBeUndefined();
    expect(String(message?.getField('gl2_processing_error')).match(/For rule '\w+'/g)).toEqual([
      "For rule 'one'",
      "For rule 'two'",
    ]);
    expect(metrics.get('millrace.processing.rule_errors')?.metric).toMatchObject({ count: 2 });
  });

  test('conditions that differ in a type only are different', () => {
    const rules = {
      long: mark('l', '$message.n == 2'),
      double: mark('d', '$message.n == 2.0'),
      big: mark('b', '$message.n == 9007199254740993'),
      text: mark('t', '$message.n == "9007199254740993n"'),
    };
    const pipelines = {
      p: 'stage 0 match pass rule "double" rule "long" stage 1 match pass rule "big" rule "text"',
    };
    const numbers = [app('x', { _n: 2 }), app('x', { _n: '9007199254740993n' })];
    expect(trails({ rules, pipelines }, numbers)).toEqual(['l', 't']);
  });

  test('a rule that never returns, whatever it does, is a fault of the rule', () => {
    const wait = defineFunction({
      name: 'wait_for_ever',
      description: 'Never returns.',
      params: [required('value', 'String', 'A text.')],
      returns: 'String',
      call: () => {
        for (;;);
      },
    });
    const registration = registerFunction(wait);
    try {
      const { processor, faults, metrics } = processing({
        rules: { wait: mark('w', '$message.app == "wait"', 'wait_for_ever("x");'), good: mark('g') },
        pipelines: { p: 'stage 0 match pass rule "wait" rule "good"' },
        timeoutMs: 1000,
      });
      const { messages } = processor.process(recordBatch([app('wait'), app('x')]));
      expect(messages[0]?.getField('gl2_processing_error')).toBe('Rule <wait> took longer than 1000 ms');
      expect(messages[1]?.getField('trail')).toBe('g');
      expect(faults).toEqual([{ ruleId: 'id of wait', count: 1 }]);
      expect(metrics.get('millrace.processing.rule_errors')?.metric).toMatchObject({ count: 1 });
    } finally {
      registration();
    }
  });

  test('in a condition mean that it does not hold', () => {
    const rules = { bad: mark('b', '7 / to_long($message.zero) == 1'), good: mark('g') };
    expect(trails({ rules, pipelines: { p: 'stage 0 match pass rule "bad" rule "good"' } })).toEqual(['g']);
  });

  test('a catastrophic expression ends at the limit, is counted, and is left out after too many faults', () => {
    const rules = { slow: mark('s', 'regex("^(a+)+$", to_string($message.bait)).matches'), good: mark('g') };
    const { processor, faults } = processing({
      rules,
      pipelines: { p: 'stage 0 match pass rule "slow" stage 1 match pass rule "good"' },
      timeoutMs: 1000,
      maxFaults: 1,
    });
    const bait = { _bait: `${'a'.repeat(40)}!` };
    const records = [
      app('x'),
      app('x', bait),
      app('x'),
      app('x', bait),
      app('x', bait),
      app('x', { _bait: 'aa' }),
    ];
    const { messages } = processor.process(recordBatch(records));
    expect(faults).toEqual([
      { ruleId: 'id of slow', count: 1 },
      { ruleId: 'id of slow', count: 2 },
    ]);
    expect(messages.map((message) => message.getField('trail'))).toEqual([
      'g',
      undefined,
      'g',
      undefined,
      'g',
      'g',
    ]);
    expect(messages[1]?.getField('gl2_processing_error')).toBe('Rule <slow> took longer than 1000 ms');
  });
});

test('the example of the documentation drops health checks', () => {
  const text = fs.readFileSync(path.join(import.meta.dirname, '../../../../docs/pipelines.md'), 'utf8');
  const sources = [...text.matchAll(/^```\n(.*?)^```$/gms)].map(([, source = '']) => source);
  const body = (source = '', from = '') =>
    source.slice(source.indexOf(from) + from.length, source.lastIndexOf('end'));
  const [parse, drop, pipeline] = sources;
  const { processor } = processing({
    rules: { 'parse the request': body(parse, 'when'), 'drop health checks': body(drop, 'when') },
    pipelines: { requests: body(pipeline, 'pipeline "requests"') },
  });
  const records = ['GET /health 200', 'GET /cart 404', 'other'].map((short_message) =>
    app('x', { short_message }),
  );
  const { messages } = processor.process(recordBatch(records));
  expect(messages.map((message) => [message.message, message.getField('code')])).toEqual([
    ['GET /cart 404', 404],
    ['other', undefined],
  ]);
});

describe('streams', () => {
  test('a rule routes, and the pipelines of the new stream run, each once', () => {
    const rules = {
      route: mark('r', 'true', 'route_to_stream(id: "shop");'),
      shop: mark('s', 'true', `route_to_stream(id: "mail"); remove_from_stream(id: "${ALL}");`),
      mail: mark('m', 'true', 'route_to_stream(id: "shop");'),
    };
    const { processor } = processing({
      rules,
      pipelines: {
        p: 'stage 0 match all rule "route"',
        q: 'stage 0 match all rule "shop"',
        m: 'stage 0 match all rule "mail"',
      },
      connections: { [ALL]: ['p'], shop: ['q'], mail: ['m'] },
    });
    const { messages, targets } = processor.process(recordBatch([app('none')]));
    expect(messages[0]?.getField('trail')).toBe('rsm');
    expect(targets[0]).toMatchObject({ streamIds: ['mail', 'shop'], indexSetIds: ['mail-set', 'shop-set'] });
  });

  test('a message that is removed from the default stream is stored with its other streams only', () => {
    const { processor } = processing({
      rules: { remove: `true then remove_from_stream(id: "${ALL}");` },
      pipelines: { p: 'stage 0 match all rule "remove"' },
    });
    const { targets } = processor.process(recordBatch([app('shop'), app('none')]));
    expect(targets).toMatchObject([
      { streamIds: ['shop'], indexSetIds: ['shop-set'] },
      // It was its last stream.
      { streamIds: [ALL], indexSetIds: ['default-set'] },
    ]);
  });

  test('a message that is removed from the default stream before the stream rules stays out of it if one matches', () => {
    const { processor } = processing({
      rules: { remove: `true then remove_from_stream(id: "${ALL}");` },
      pipelines: { p: 'stage 0 match all rule "remove"' },
      order: [PIPELINES_PROCESSOR, STREAM_RULES_PROCESSOR],
    });
    const { targets } = processor.process(recordBatch([app('shop'), app('none')]));
    expect(targets).toMatchObject([
      { streamIds: ['shop'], indexSetIds: ['shop-set'] },
      { streamIds: [ALL], indexSetIds: ['default-set'] },
    ]);
  });

  test('pipelines run after the stream rules, or before them if that is the order', () => {
    const setup = {
      rules: { a: mark('a') },
      pipelines: { p: 'stage 0 match all rule "a"' },
      connections: { shop: ['p'] },
    };
    expect(trails(setup, [app('shop'), app('blog')])).toEqual(['a', undefined]);
    const order = [PIPELINES_PROCESSOR, STREAM_RULES_PROCESSOR];
    expect(trails({ ...setup, order }, [app('shop')])).toEqual([undefined]);
  });
});

describe('messages that rules drop and make', () => {
  const setup: Setup = {
    rules: {
      drop: '$message.app == "drop" then drop_message();',
      clone: `$message.app == "twice" and not has_field("copy") then
        let copy = clone_message(); set_field(field: "copy", value: true, message: copy);
        route_to_stream(id: "shop", message: copy);`,
      create: `$message.app == "more" then
        let one = create_message("new", "rule"); set_field(field: "n", value: 1, message: one);
        let two = create_message(); drop_message(two);`,
      slow: 'regex("(a+)+b", to_string($message.app)).matches then set_field("slow", true);',
      count: 'true then set_field("seen", to_long($message.seen) + 1);',
    },
    pipelines: { p: 'stage 0 match pass rule "drop" rule "clone" rule "create" rule "slow" rule "count"' },
  };
  const view = (message: Message) => [
    message.id,
    message.message,
    message.source,
    message.timestamp,
    message.streams,
    message.getField('copy'),
    message.getField('seen'),
  ];

  test('dropped ones are gone, clones and new ones pass the pipelines themselves', () => {
    const { processor } = processing(setup);
    const { messages, endOffset } = processor.process(
      recordBatch([app('drop'), app('twice'), app('more'), app('none')]),
    );
    expect(endOffset).toBe(4);
    expect(
      messages.map((message) => [message.message, message.getField('copy'), message.getField('seen')]),
    ).toEqual([
      ['text', undefined, 1],
      ['text', true, 1],
      ['text', undefined, 1],
      ['new', undefined, 1],
      ['text', undefined, 1],
    ]);
    expect(messages[1]?.streams).toEqual([ALL, 'shop']);
  });

  test('a rule that clones every clone comes to an end', () => {
    const { processor } = processing({
      rules: { clone: 'true then clone_message();' },
      pipelines: { p: 'stage 0 match all rule "clone"' },
    });
    const { messages } = processor.process(recordBatch([app('none')]));
    expect(messages).toHaveLength(64);
    expect(messages.at(-1)?.getField('gl2_processing_error')).toContain(
      'one received message gives at most 64, and the messages that are processed together give at most 1028 more; ' +
        'add a condition that clones do not meet',
    );
  });

  test('a batch has a bound of its own', () => {
    const { processor, metrics } = processing({
      rules: { clone: 'true then clone_message();' },
      pipelines: { p: 'stage 0 match all rule "clone"' },
    });
    const records = Array.from({ length: 100 }, () => app('none'));
    expect(processor.process(recordBatch(records)).messages).toHaveLength(100 + 4 * 100 + 1024);
    expect(metrics.get('millrace.processing.messages.refused')).toBeDefined();
  });

  test('records that are read again give the same messages with the same ids, however they are cut', () => {
    const kinds = fc.array(fc.constantFrom('drop', 'twice', 'more', 'none'), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        kinds,
        fc.nat(1100),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (names, first, sizes) => {
          const { processor } = processing(setup);
          const records = names.map((name) => app(name));
          const whole = processor.process(recordBatch(records, first)).messages.map(view);
          const parts: unknown[] = [];
          for (let start = 0; start < records.length; ) {
            const size = sizes.next().value;
            const batch = recordBatch(records.slice(start, start + size), first + start);
            parts.push(...processor.process(batch).messages.map(view));
            start += size;
          }
          expect(parts).toEqual(whole);
          expect(new Set(whole.map(([id]) => id)).size).toBe(whole.length);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('functions of plugins', () => {
  function withFunction(call: (value: string) => string, work: () => void): PluginFault[] {
    const ledger = createFaultLedger();
    const faults: PluginFault[] = [];
    const guards = createPluginGuards((fault) => faults.push(fault), {
      memory: { faults: ledger.memory, calls: new SharedArrayBuffer(8) },
      slots: new Map([['boat', ledger.slotOf('boat')]]),
      worker: 0,
      limitMs: 1000,
      maxFaults: 1,
    });
    const component = pipelineFunction({
      name: 'hoist',
      description: 'Hoists a flag.',
      params: [required('flag', 'String', 'The flag.')],
      returns: 'String',
      call: (_, flag) => call(flag),
    });
    const { seams, undo } = undoableSeams(WORKER_SEAMS);
    registerPlugin({ components: [component] }, seams, guards.of('boat'));
    try {
      work();
    } finally {
      undo();
    }
    return faults;
  }

  const setup: Setup = {
    rules: { a: 'true then set_field("trail", hoist("blue"));', b: mark('b') },
    pipelines: { p: 'stage 0 match either rule "a" stage 1 match either rule "b"' },
  };

  test('are called as built-in ones are, and are gone with their plugin', () => {
    const faults = withFunction(
      (flag) => `${flag} flag,`,
      () => expect(trails(setup)).toEqual(['blue flag,b']),
    );
    expect(faults).toEqual([]);
    expect(FUNCTIONS.has('hoist')).toBe(false);
  });

  test('that throw are faults of the plugin and stop no message; one that never returns is a fault of its rule', () => {
    const faults = withFunction(
      () => {
        throw new Error('no wind');
      },
      () =>
        expect(
          trails(
            setup,
            Array.from({ length: 4 }, () => app('none')),
          ),
        ).toHaveLength(4),
    );
    expect(faults.map(({ plugin, count }) => [plugin, count])).toEqual([
      ['boat', 1],
      ['boat', 2],
    ]);
    withFunction(
      () => {
        for (;;);
      },
      () => {
        const { processor, faults: ofRules } = processing({ ...setup, timeoutMs: 1000 });
        expect(processor.process(recordBatch([app('none')])).messages).toHaveLength(1);
        expect(ofRules).toMatchObject([{ ruleId: 'id of a' }]);
      },
    );
  });
});
