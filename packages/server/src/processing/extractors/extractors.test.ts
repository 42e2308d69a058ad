import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidConfiguration } from '#core/index.ts';
import { STOCK_GROK_PATTERNS } from '#processing/rules/index.ts';
import {
  type ExtractorSketch,
  extract,
  extractorProcessing,
  sketched,
} from '#testing/extractor-processing.ts';
import { compileExtractor } from './compile.ts';
import { CONVERTERS } from './converters/registry.ts';
import { EXTRACTOR_TYPES } from './types/registry.ts';

/** Takes years on the text. */
const CATASTROPHE: ExtractorSketch = { type: 'regex', title: 'Slow', config: { regex_value: '^(a+)+(x)$' } };
/** A machine that is busy must not take longer for anything else. */
const LIMIT_MS = 1000;
const TRAP = { message: `${'a'.repeat(40)}b` };

const regexOf = (pattern: string, target: string, more: ExtractorSketch = {}): ExtractorSketch => ({
  type: 'regex',
  config: { regex_value: pattern },
  target,
  ...more,
});

describe('extractors', () => {
  test('run in their order, and see what the ones before have written', () => {
    const message = extract(
      [regexOf('request="([^"]*)"', 'request'), regexOf('^(\\w+) ', 'method', { source: 'request' })],
      { message: 'request="GET /a"' },
    );
    expect([message.getField('request'), message.getField('method')]).toEqual(['GET /a', 'GET']);
    const reversed = extract(
      [regexOf('^(\\w+) ', 'method', { source: 'request' }), regexOf('request="([^"]*)"', 'request')],
      { message: 'request="GET /a"' },
    );
    expect(reversed.getField('method')).toBeUndefined();
  });

  test('of other inputs do not run', () => {
    const message = extract([{ inputId: 'another' }], { message: 'hello' });
    expect(message.getField('out')).toBeUndefined();
  });

  test('run after the source is replaced and before static fields, which do not overwrite', () => {
    const { process } = extractorProcessing([{ target: 'site' }, { source: 'source', target: 'copied' }], {
      staticFields: { site: 'north', other: 'static' },
      overrideSource: 'gateway',
    });
    const [message] = process([{ message: 'hello' }]);
    expect(message?.getField('site')).toBe('hello');
    expect(message?.getField('other')).toBe('static');
    expect(message?.getField('copied')).toBe('gateway');
  });

  test('cut one after the other', () => {
    const message = extract(
      [
        regexOf('^(\\S+)', 'first', { source: 'app', cut: true }),
        regexOf('^\\s*(\\S+)', 'second', { source: 'app', cut: true }),
      ],
      { app: 'one two three' },
    );
    expect(message.getField('first')).toBe('one');
    expect(message.getField('second')).toBe('two');
    expect(message.getField('app')).toBe('three');
  });

  test('count what they do, under the names of Graylog', () => {
    const { process, metrics } = extractorProcessing([
      regexOf('code=(\\S+)', 'code', {
        condition: ['string', 'code='],
        converters: [{ type: 'date', config: { date_format: 'yyyy' } }],
      }),
    ]);
    process([{ message: 'code=2026' }, { message: 'code=x' }, { message: 'none' }]);
    const prefix = 'org.graylog2.inputs.extractors.RegexExtractor.regex.x1';
    const metric = (name: string) => metrics.get(`${prefix}.${name}`)?.metric;
    expect(metric('conditionHits')).toEqual({ count: 2 });
    expect(metric('conditionMisses')).toEqual({ count: 1 });
    expect(metric('exceptions')).toEqual({ count: 0 });
    expect(metric('converterExceptions')).toEqual({ count: 1 });
    expect(metric('completeExecutionTime')).toMatchObject({ rate: { total: 3 } });
    expect(metric('conditionTime')).toMatchObject({ rate: { total: 3 } });
    expect(metric('executionTime')).toMatchObject({ rate: { total: 2 } });
    expect(metric('converterExecutionTime')).toMatchObject({ rate: { total: 2 } });
  });

  test('a text without the form that the type reads is counted, and nothing is noted', () => {
    const { process, metrics } = extractorProcessing([{ type: 'json', target: '' }]);
    const [message] = process([{ message: 'plain' }]);
    expect(message?.getField('gl2_processing_error')).toBeUndefined();
    const name = 'org.graylog2.inputs.extractors.JsonExtractor.json.x1.exceptions';
    expect(metrics.get(name)?.metric).toEqual({ count: 1 });
  });

  test('a snapshot without an extractor ends it and its metrics; one that cannot be compiled is left out', () => {
    const { processor, process, metrics, snapshot } = extractorProcessing([regexOf('(a)', 'a')]);
    expect(process([{ message: 'a' }])[0]?.getField('a')).toBe('a');
    const future = sketched({ type: 'from-the-future' });
    processor.useSnapshot({
      ...snapshot,
      version: 2,
      extractors: [future, sketched(regexOf('(b)', 'b'), 'x2')],
    });
    const [message] = process([{ message: 'ab' }]);
    expect([message?.getField('a'), message?.getField('b')]).toEqual([undefined, 'b']);
    expect(metrics.names().filter((name) => name.includes('.x1'))).toEqual([]);
  });
});

describe('an extractor that takes too long', () => {
  test('finds nothing in that message; the others run', () => {
    const { process, faults } = extractorProcessing(
      [regexOf('(b)$', 'b'), CATASTROPHE, regexOf('^(a)', 'a')],
      {
        timeoutMs: LIMIT_MS,
      },
    );
    const [slow, quick] = process([TRAP, { message: 'aaax' }]);
    expect(slow?.getField('b')).toBe('b');
    expect(slow?.getField('a')).toBe('a');
    expect(slow?.getField('out')).toBeUndefined();
    expect(slow?.getField('gl2_processing_error')).toBe(
      `Extractor "Slow": it took longer than ${LIMIT_MS} ms`,
    );
    expect(quick?.getField('out')).toBe('aaa');
    expect(quick?.getField('gl2_processing_error')).toBeUndefined();
    expect(faults).toEqual([{ extractorId: 'x2', count: 1 }]);
  });

  test('is left out at once after too many faults, in the same batch too', () => {
    const { process, faults } = extractorProcessing([CATASTROPHE, { target: 'copy' }], {
      timeoutMs: LIMIT_MS,
      maxFaults: 1,
    });
    const messages = process([TRAP, TRAP, TRAP, { message: `${'a'.repeat(100)}x` }]);
    expect(faults.map(({ count }) => count)).toEqual([1, 2]);
    expect(messages.map((message) => message.getField('gl2_processing_error') !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(messages.every((message) => message.getField('copy') !== undefined)).toBe(true);
    expect(process([{ message: 'aax' }])[0]?.getField('out')).toBeUndefined();
  });

  test('by its condition or its grok pattern has a fault, too', () => {
    for (const sketch of [
      { ...CATASTROPHE, type: 'copy_input', config: {}, condition: ['regex', '^(a+)+x$'] as const },
      { type: 'grok', target: '', config: { grok_pattern: '^(a+)+%{WORD:out}x$' } },
      { type: 'regex_replace', config: { regex: '^(a+)+x$', replacement: 'y' } },
    ]) {
      const { process, faults } = extractorProcessing([sketch], { timeoutMs: LIMIT_MS });
      const [message] = process([TRAP]);
      expect(message?.getField('out')).toBeUndefined();
      expect(faults).toHaveLength(1);
    }
  });
});

describe('an expression for which V8 has no room', () => {
  /** One more alternative to remember for each letter. */
  const pattern = '^(?:(a)|(b)|(c)|(d))*x';
  const long = 'a'.repeat(2 * 1024 * 1024);

  test.each<[string, ExtractorSketch]>([
    ['condition', { condition: ['regex', pattern] }],
    ['expression', regexOf(pattern, 'out')],
  ])('is an error of the extractor when it is its %s', (_, sketch) => {
    const { process, metrics } = extractorProcessing([sketch, { target: 'copy', source: 'app' }], {
      timeoutMs: 60_000,
    });
    const [failed, short] = process([
      { message: long, app: 'one' },
      { message: 'aax', app: 'two' },
    ]);
    expect(failed?.getField('gl2_processing_error')).toMatch(/^Extractor "X": Maximum call stack size/);
    expect(failed?.getField('out')).toBeUndefined();
    expect(failed?.getField('copy')).toBe('one');
    expect(short?.getField('out')).toBeDefined();
    const exceptions = metrics.names().filter((name) => name.endsWith('x1.exceptions'));
    expect(exceptions.map((name) => metrics.get(name)?.metric)).toEqual([{ count: 1 }]);
  });
});

describe('values are bounded', () => {
  test('a text that would make the message too long is not written', () => {
    const message = extract(
      [
        {
          type: 'regex_replace',
          config: { regex: 'x', replacement: 'y'.repeat(4000), replace_all: true },
        },
      ],
      { message: 'x'.repeat(1000) },
    );
    expect(message.getField('out')).toBeUndefined();
    expect(message.getField('gl2_processing_error')).toMatch(/characters/);
  });

  test('a JSON object with very many keys gives an error instead of fields', () => {
    const json = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, index]));
    const message = extract([{ type: 'json', target: '' }], { message: JSON.stringify(json) });
    expect(message.getField('k0')).toBeUndefined();
    expect(message.getField('gl2_processing_error')).toContain('more than 2048 values');
  });

  test('JSON below keys that are too long is not read: names do not grow without end', () => {
    const level = `"k":{"${'p'.repeat(300)}":`;
    const leaf = (n: number) => `{"leaf${n}":1,`;
    const depth = 200;
    const levels = Array.from({ length: depth }, (_, n) => `${leaf(n)}${level}`).join('');
    const message = extract([{ type: 'json', target: '' }], {
      message: `{"short":{"fine":7},"deep":${levels}1${'}}'.repeat(depth)}}`,
    });
    expect(message.getField('short_fine')).toBe(7);
    expect(message.getField('deep_leaf0')).toBe(1);
    const names: string[] = [];
    message.forEachField((name) => names.push(name));
    expect(names.filter((name) => name.includes('leaf'))).toEqual(['deep_leaf0']);
    const error = String(message.getField('gl2_processing_error'));
    expect(error.match(/at most 256 are possible/g)).toHaveLength(1);
  });

  test('a text with very many pairs gives one error instead of fields', () => {
    const pairs = Array.from({ length: 3000 }, (_, n) => `k${n}=${n}`).join(' ');
    const message = extract([{ converters: [{ type: 'tokenizer', config: {} }] }], { message: pairs });
    expect(message.getField('k0')).toBeUndefined();
    expect(message.getField('gl2_processing_error')).toBe(
      'Extractor "X": converter tokenizer: the text has more than 2048 pairs',
    );
  });

  test.each([501, 2000, 100_000])('JSON with %i levels gives one error instead of fields', (levels) => {
    const texts = [
      `{"short":1,"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
      `{"short":1,"deep":${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}}`,
    ];
    for (const text of texts) {
      const message = extract([{ type: 'json', target: '' }], { message: text });
      expect(message.getField('short')).toBeUndefined();
      expect(message.getField('gl2_processing_error')).toBe(
        'Extractor "X": the JSON is nested more than 500 levels deep',
      );
    }
  });

  test('brackets in texts and beside each other are no levels', () => {
    const texts = { quoted: `"\\\\${'{['.repeat(400)}`, list: Array.from({ length: 600 }, () => ({})) };
    const message = extract([{ type: 'json', target: '' }], { message: JSON.stringify({ ...texts, n: 1 }) });
    expect(message.getField('n')).toBe(1);
    expect(message.getField('quoted')).toBe(texts.quoted);
    const plain = extract([{ type: 'json', target: '' }], { message: '['.repeat(600) });
    expect(plain.getField('gl2_processing_error')).toBeUndefined();
  });

  test('JSON with 500 levels is read, whatever V8 has compiled by then', () => {
    const levels = 499;
    const message = extract([{ type: 'json', target: '', config: { flatten: true } }], {
      message: `{"short":1,"deep":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
    });
    expect(message.getField('short')).toBe(1);
    expect(message.getField('deep')).toContain('a=1');
  });
});

test('whatever extractors and messages contain, nothing is thrown, and what compiles runs', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      'a=b c="d e"',
      '{"a":{"b":[1,null]}}',
      '2026-01-01',
      '1,2,"3"',
      '10.0.0.1',
      '13',
      '(',
      '$1',
      ' ',
    ),
  );
  const value = fc.oneof(text, fc.integer({ min: -2, max: 9 }), fc.boolean(), fc.constant(null));
  const configOf = (names: readonly string[]) =>
    fc.dictionary(fc.constantFrom('other', ...names), value, { maxKeys: 6 });
  const sketch = fc.constantFrom(...EXTRACTOR_TYPES.types).chain((type) =>
    fc.record({
      type: fc.constant(type.id),
      config: configOf(Object.keys(type.fields)),
      source: fc.constantFrom('message', 'app', 'level', 'full_message'),
      target: fc.constantFrom('out', 'message', 'timestamp', 'level', 'full_message', 'source', ''),
      cut: fc.boolean(),
      condition: fc.tuple(fc.constantFrom('none' as const, 'string' as const, 'regex' as const), text),
      converters: fc.array(
        fc.constantFrom(...CONVERTERS.types).chain((converter) =>
          fc.record({
            type: fc.constant(converter.id),
            config: configOf(Object.keys(converter.fields)),
          }),
        ),
        { maxLength: 3 },
      ),
    }),
  );
  fc.assert(
    fc.property(sketch, text, text, (extractor, message, app) => {
      const compiled = compileExtractor(sketched(extractor), { grokPatterns: STOCK_GROK_PATTERNS });
      if (compiled instanceof InvalidConfiguration) expect(compiled.problems.length).toBeGreaterThan(0);
      const result = extract([extractor], { message, app, full_message: app });
      expect(typeof result.message).toBe('string');
      expect(Number.isFinite(result.timestamp)).toBe(true);
      expect(Number.isInteger(result.level)).toBe(true);
      expect(result.values.length).toBe(result.layout.size);
    }),
    { numRuns: 300 },
  );
});
