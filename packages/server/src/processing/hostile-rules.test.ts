/** Rules that are meant to hurt, and messages that are: only the rule and its message suffer. */
import { describe, expect, test } from 'vitest';
import { ALL, app, mark, processing, type Setup } from '#testing/pipeline-processing.ts';
import { testStream } from '#testing/processing-snapshot.ts';
import { recordBatch } from '#testing/record-batch.ts';

const NEIGHBOUR = 'stage 1 match pass rule "good"';
const LIMIT_MS = 1000;
/** Where something else ends the rule: the machine may be busy. */
const PATIENCE_MS = 600_000;

/** The hostile rule on the first of two messages, with a rule of somebody else after it. */
function hurt(rule: string, fields: object = {}, setup: Partial<Setup> = {}) {
  const { processor, faults } = processing({
    rules: { hostile: rule, good: mark('g') },
    pipelines: { p: `stage 0 match pass rule "hostile" ${NEIGHBOUR}` },
    timeoutMs: LIMIT_MS,
    ...setup,
  });
  const { messages } = processor.process(recordBatch([app('victim', fields), app('other')]));
  const [victim] = messages;
  return {
    messages,
    faults,
    victim,
    error: String(victim?.getField('gl2_processing_error')),
    neighbour: messages.find((message) => message.getField('app') === 'other')?.getField('trail'),
  };
}

test('a large message that many rules look at does not use up what they may make', () => {
  const looks = Array.from(
    { length: 100 },
    (_, number) =>
      [
        `look ${number}`,
        `contains(to_string($message.large), "${number}x") then set_field("x", 1);`,
      ] as const,
  );
  const { processor } = processing({
    rules: { ...Object.fromEntries(looks), good: mark('g') },
    pipelines: {
      p: `stage 0 match pass ${looks.map(([name]) => `rule "${name}"`).join(' ')} ${NEIGHBOUR}`,
    },
    timeoutMs: 60_000,
  });
  const { messages } = processor.process(recordBatch([app('victim', { _large: 'a'.repeat(2 ** 21) })]));
  expect(messages[0]?.getField('gl2_processing_error')).toBeUndefined();
  expect(messages[0]?.getField('trail')).toBe('g');
});

describe('what would never end', () => {
  const BAIT = { _bait: `${'a'.repeat(40)}!` };
  const bait = 'to_string($message.bait)';

  test.each([
    ['regex in a condition', `regex("^(a+)+$", ${bait}).matches == true then set_field("x", 1);`],
    ['regex in an action', `true then set_field("x", regex("^(a+)+$", ${bait}).matches);`],
    ['regex_replace', `true then set_field("x", regex_replace("^(a+)+$", ${bait}, "b"));`],
    ['split', `true then set_field("x", split("^(a+)+$", ${bait}));`],
    ['grok', `true then set_fields(grok("^(?:(?:%{USER:w})+)+$", ${bait}));`],
    ['multi_grok', `true then set_fields(multi_grok(["%{IP:ip}", "^(?:(?:%{USER:w})+)+$"], ${bait}));`],
    [
      'an expression that the message brings',
      `true then set_field("x", regex(to_string($message.e), ${bait}).matches);`,
    ],
    ['remove_string_fields_by_value', 'true then remove_string_fields_by_value(pattern: "^(a+)+$");'],
    [
      'comparing lists that contain the same lists many times',
      `$message.app == "victim" then let a0 = "a"; let b0 = "a"; ${Array.from({ length: 60 }, (_, n) => `let a${n + 1} = [a${n}, a${n}]; let b${n + 1} = [b${n}, b${n}];`).join(' ')} set_field("x", a60 == b60);`,
    ],
    ['the name of fields', 'true then remove_field("(a+)+b");'],
  ])('%s ends at the time limit and is a fault of the rule', (_, rule) => {
    const { error, faults, neighbour } = hurt(rule, {
      ...BAIT,
      _e: '^(a+)+$',
      [`_${'a'.repeat(40)}`]: 'x',
    });
    expect(error).toContain(`Rule <hostile> took longer than ${LIMIT_MS} ms`);
    expect(faults).toEqual([{ ruleId: 'id of hostile', count: 1 }]);
    expect(neighbour).toBe('g');
  });

  test('a rule is left out after too many faults, and the others go on', () => {
    const { processor, faults } = processing({
      rules: {
        hostile: `regex("^(a+)+$", ${bait}).matches == true then set_field("x", 1);`,
        good: mark('g'),
      },
      pipelines: { p: `stage 0 match pass rule "hostile" ${NEIGHBOUR}` },
      timeoutMs: 1000,
      maxFaults: 1,
    });
    const { messages } = processor.process(recordBatch(Array.from({ length: 50 }, () => app('x', BAIT))));
    expect(faults).toHaveLength(2);
    expect(messages.slice(2).every((message) => message.getField('trail') === 'g')).toBe(true);
  });

  test('streams that send messages to each other end', () => {
    const streams = ['a', 'b', 'c'];
    const { messages } = hurt(
      'true then drop_message();',
      {},
      {
        streams: streams.map((id) => testStream(id)),
        rules: Object.fromEntries([
          ['start', mark('s', 'true', 'route_to_stream(id: "a");')],
          ...streams.map((id, index) => [
            `to next of ${id}`,
            mark(
              id,
              'true',
              `route_to_stream(id: "${streams[(index + 1) % 3]}"); remove_from_stream(id: "${id}");`,
            ),
          ]),
        ]),
        pipelines: {
          start: 'stage 0 match pass rule "start"',
          ...Object.fromEntries(streams.map((id) => [id, `stage 0 match pass rule "to next of ${id}"`])),
        },
        connections: { [ALL]: ['start'], a: ['a'], b: ['b'], c: ['c'] },
      },
    );
    expect(messages.map((message) => message.getField('trail'))).toEqual(['sabc', 'sabc']);
  });
});

describe('what would fill the memory', () => {
  const doubled = Array.from({ length: 21 }, (_, n) => `let a${n + 1} = concat(a${n}, a${n});`).join(' ');
  const eightMegabytes = `let a0 = "abcd"; ${doubled}`;
  const times = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n)).join(' ');

  test.each([
    [
      'many large variables',
      `true then ${eightMegabytes} ${times(100, (n) => `let b${n} = uppercase(a21);`)}`,
    ],
    [
      'a list of large texts',
      `true then ${eightMegabytes} let l = [${Array(100).fill('uppercase(a21)').join(', ')}];`,
    ],
    [
      'texts joined by +',
      `true then ${eightMegabytes} ${times(100, (n) => `let b${n} = a21 + ""; set_field("x", contains(b${n}, "e"));`)}`,
    ],
    ['long lists', `true then ${eightMegabytes} ${times(100, (n) => `let b${n} = split("a", a21);`)}`],
    [
      'large JSON, parsed again and again',
      `true then ${times(500, (n) => `let b${n} = parse_json(to_string($message.json));`)}`,
    ],
  ])(
    '%s are an error of the rule',
    (_, rule) => {
      const { error, neighbour, victim, faults } = hurt(
        rule,
        { _json: `[${'[],'.repeat(200_000)}1]` },
        { timeoutMs: PATIENCE_MS },
      );
      expect(error).toMatch(/the rules have made more than 67108864 characters for this message/);
      expect([neighbour, victim?.getField('trail'), faults]).toEqual(['g', 'g', []]);
    },
    PATIENCE_MS,
  );

  test('a message does not pay for the one before', () => {
    const large = `true then let a = uppercase(to_string($message.text)); ${times(6, (n) => `let b${n} = lowercase(a);`)} set_field("x", 1);`;
    const { processor } = processing({
      rules: { large },
      pipelines: { p: 'stage 0 match pass rule "large"' },
    });
    const records = Array.from({ length: 20 }, () => app('x', { _text: 'a'.repeat(1024 * 1024) }));
    const { messages } = processor.process(recordBatch(records));
    expect(messages.map((message) => message.getField('x'))).toEqual(Array(20).fill(1));
  });

  test.each([
    ['clones', 'let m = clone_message();'],
    ['new messages', 'let m = create_message("text", "source");'],
    ['clones of clones', 'let m = clone_message(); let n = clone_message(m); let o = clone_message(n);'],
  ])('%s without end come to one', (_, statements) => {
    const { messages, neighbour } = hurt(`true then ${statements}`);
    expect(messages.length).toBeLessThanOrEqual(128);
    const errors = messages.map((message) => String(message.getField('gl2_processing_error')));
    expect(errors.filter((error) => error.includes('messages'))).not.toEqual([]);
    expect(neighbour).toBe('g');
  });

  test('a rule that clones with preventLoops leaves its own clones alone, and no others', () => {
    const clone = mark('c', 'true', 'let m = clone_message(preventLoops: true);');
    const { processor } = processing({
      rules: { one: clone, two: clone },
      pipelines: { p: 'stage 0 match pass rule "one" stage 1 match pass rule "two"' },
    });
    const { messages } = processor.process(recordBatch([app('x')]));
    expect(messages.length).toBeLessThanOrEqual(64);
    const alone = processing({ rules: { one: clone }, pipelines: { p: 'stage 0 match pass rule "one"' } });
    expect(alone.processor.process(recordBatch([app('x')])).messages).toHaveLength(2);
  });
});

describe('names that JavaScript gives a meaning', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
  ];
  const polluted = () => Object.getOwnPropertyNames(Object.prototype).sort();
  const before = polluted();

  test.each(NAMES)('%s is a name as others are', (name) => {
    const { victim, error, neighbour } = hurt(
      `true then
        set_field("absent", has_field("${name}"));
        set_field("read", to_string($message.\`${name}\`, "nothing"));
        let ${name} = {${name}: "in a map"};
        set_field("member", ${name}.${name});
        set_field("element", ${name}["${name}"]);
        set_field("other", to_string({a: 1}.${name}, "nothing"));
        set_field("of_text", to_string(to_string("text").${name}, "nothing"));
        set_field("of_list", to_string([1].${name}, "nothing"));
        set_field("pairs", key_value("${name}=pair")["${name}"]);
        set_field("json", to_string(select_jsonpath(parse_json("{\\"${name}\\": \\"deep\\"}"), {v: "$.${name}"}).v));
        set_field("of_json", to_string(parse_json("{}").${name}, "nothing"));
        set_field("group", to_string(regex("(a)", "a", ["${name}"])["${name}"], "nothing"));
        set_field("${name}", "stored");
        set_field("back", $message.\`${name}\`);`,
    );
    expect(error).toBe('undefined');
    const read = (field: string) => victim?.getField(field);
    expect(
      [
        'absent',
        'read',
        'member',
        'element',
        'other',
        'of_text',
        'of_list',
        'pairs',
        'json',
        'of_json',
        'group',
        'back',
      ].map(read),
    ).toEqual([
      false,
      'nothing',
      'in a map',
      'in a map',
      'nothing',
      'nothing',
      'nothing',
      'pair',
      'deep',
      'nothing',
      'a',
      'stored',
    ]);
    expect(neighbour).toBe('g');
    expect(polluted()).toEqual(before);
  });

  test.each(NAMES)('%s is no function, stream, input, pattern or table', (name) => {
    const called = hurt(`true then ${name}("x");`);
    expect(called.neighbour).toBe('g');
    expect(called.error).toBe('undefined');
    const { victim } = hurt(
      `true then
        set_field("pattern", grok_exists("${name}"));
        set_field("input", from_input(name: "${name}"));
        set_field("value", to_string(lookup_value("${name}", "${name}"), "nothing"));
        route_to_stream(name: "${name}"); route_to_stream(id: "${name}");`,
    );
    expect(['pattern', 'input', 'value'].map((field) => victim?.getField(field))).toEqual([
      false,
      false,
      'nothing',
    ]);
    expect(victim?.streams).toEqual([ALL]);
  });
});
