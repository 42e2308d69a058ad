import { describe, expect, test } from 'vitest';
import { app, processing } from '#testing/pipeline-processing.ts';
import { recordBatch } from '#testing/record-batch.ts';

describe('what a sender sends', () => {
  const ran = (actions: string, fields: object = {}, count = 1) => {
    const stages = Array.from({ length: count }, (_, index) => `stage ${index} match pass rule "r"`);
    const setup = { rules: { r: `true then ${actions}` }, pipelines: { p: stages.join(' ') } };
    const [message] = processing(setup).processor.process(recordBatch([app('x', fields)])).messages;
    return { message, error: message?.getField('gl2_processing_error') };
  };

  test('sets no time that cannot be written', () => {
    const actions = 'set_field("timestamp", parse_unix_milliseconds(to_long($message.t)));';
    for (const t of [8_640_000_000_000_001, -9e15, 1e14, -3e12]) {
      const { message, error } = ran(actions, { _t: t });
      expect(error).toMatch(/milliseconds since 1970 are not a date|cannot be the timestamp/);
      expect(() => new Date(message?.timestamp ?? Number.NaN).toISOString()).not.toThrow();
    }
  });

  test('grows no message without end', () => {
    const doubled = ran(
      'set_field("a", concat(to_string($message.a), to_string($message.a)));',
      { _a: 'ab' },
      40,
    );
    expect(String(doubled.message?.getField('a')).length).toBeLessThan(100_000);
    expect(doubled.error).toContain('the field a cannot get');
    expect(ran('set_field(to_string($message.a), 1);', { _a: 'n'.repeat(300) }).error).toContain(
      'has 300 characters; at most 256',
    );
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`f${n}`, n])));
    expect(ran('set_fields(to_map(parse_json(to_string($message.a))));', { _a: many }).error).toContain(
      'a message has at most 2048 fields',
    );
    expect(
      ran('set_fields(to_map(flatten_json(to_string($message.a), "json")));', { _a: many }).error,
    ).toContain('more than 2048 values');
    const deep = `${`{"${'k'.repeat(100)}":`.repeat(400)}1${'}'.repeat(400)}`;
    expect(
      ran('set_fields(to_map(flatten_json(to_string($message.a), "json")));', { _a: deep }).error,
    ).toMatch(/the path "k+…" has more than 256 characters/);
    expect(ran('create_message(to_string($message.b));', { _b: 'b' }).error).toBeUndefined();
  });

  test('is an error of the rule when V8 has no room for an expression', () => {
    const pattern = '^(?:(a)|(b)|(c)|(d))*x';
    const text = 'a'.repeat(2 * 1024 * 1024);
    const setup = {
      rules: {
        asked: `regex("${pattern}", to_string($message.a)).matches == true then set_field("asked", 1);`,
        acting: `true then let found = regex("${pattern}", to_string($message.a)); set_field("found", found);`,
      },
      pipelines: { p: 'stage 0 match pass rule "asked" rule "acting"' },
    };
    const [message] = processing(setup).processor.process(recordBatch([app('x', { _a: text })])).messages;
    const error = message?.getField('gl2_processing_error');
    expect(error).toMatch(/For rule 'asked' \(condition\): .*Maximum call stack size/);
    expect(error).toMatch(/For rule 'acting' \(actions\): .*Maximum call stack size/);
  });

  test('makes no text longer than rules may have', () => {
    const twice = (text: string) => `concat(${text}, ${text})`;
    const lets = Array.from({ length: 30 }, (_, n) => `let a${n + 1} = ${twice(`a${n}`)};`);
    const long = `let a0 = to_string($message.a); ${lets.join(' ')}`;
    expect(ran(long, { _a: 'abc' }).error).toContain('more than 8388608 characters');
    const lists = Array.from({ length: 30 }, (_, n) => `let a${n + 1} = [a${n}, a${n}];`);
    const nested = `let a0 = to_string($message.a); ${lists.join(' ')} set_field("b", to_string(a30));`;
    expect(ran(nested, { _a: 'abc'.repeat(1000) }).error).toContain('more than 8388608 characters');
    const references = 'set_field("b", regex_replace("a+", to_string($message.a), to_string($message.b)));';
    expect(ran(references, { _a: 'a'.repeat(50_000), _b: '$0'.repeat(20_000) }).error).toContain(
      'more than 8388608 characters',
    );
    const pairs =
      'let found = key_value(value: to_string($message.a), handle_dup_keys: to_string($message.b)); set_field("b", found.none);';
    expect(ran(pairs, { _a: 'k=v '.repeat(1000), _b: ','.repeat(20_000) }).error).toContain(
      'more than 8388608 characters',
    );
  });

  test('makes no counters without end', () => {
    const count = 'metric_counter_inc(to_string($message.a));';
    expect(ran(count, { _a: 'n'.repeat(256) }).error).toBeUndefined();
    expect(ran(count, { _a: 'n'.repeat(257) }).error).toContain(
      'the name of a counter has at most 256 characters',
    );
  });

  test('loses no field whose new name does not take the value', () => {
    const { message, error } = ran('rename_field("word", "level");', { _word: 'high' });
    expect(error).toContain('the level of a message is an integer');
    expect(message?.getField('word')).toBe('high');
  });
});
