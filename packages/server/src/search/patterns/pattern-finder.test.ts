import { parseQuery } from '@millrace/query';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testMessage } from '#testing/messages.ts';
import { compilePredicate } from '../query/index.ts';
import { createPatternFinder } from './pattern-finder.ts';
import { patternQuery } from './pattern-query.ts';
import { isVariable, summarisePattern, type TemplatePart, templateText } from './pattern-summary.ts';

function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

interface Pattern {
  readonly text: string;
  readonly count: number;
  readonly template: readonly TemplatePart[];
  readonly messages: readonly number[];
}

function patternsOf(messages: readonly string[], maxCandidates?: number): Pattern[] {
  const finder = createPatternFinder(maxCandidates === undefined ? {} : { maxCandidates });
  for (const message of messages) finder.add(message);
  return finish(finder.finish()).map(({ words, messages: numbers }) => {
    const texts = numbers.map((number) => messages[number] ?? '');
    const template = words === undefined ? [] : finish(summarisePattern(words, texts, 3));
    return {
      text: words === undefined ? '(none)' : templateText(template),
      count: numbers.length,
      template,
      messages: numbers,
    };
  });
}

const counted = (messages: readonly string[]) => patternsOf(messages).map(({ text, count }) => [text, count]);
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i));

describe('patterns', () => {
  test('numbers, ids and addresses vary; constant words do not', () => {
    const messages = times(20, (i) => `Served block blk_${i * 7919} to /10.0.0.${i}:50010 in ${i}.5 ms`);
    expect(counted([...messages, 'restart.', 'restart.'])).toEqual([
      ['Served block blk_<number> to <address> in <number>', 20],
      ['restart.', 2],
    ]);
  });

  test('a word with many values varies; a few states stay separate patterns', () => {
    const names = ['root', 'anna', 'bob', 'carla', 'dora', 'emil', 'fritz'];
    const logins = times(
      70,
      (i) => `Failed password for ${names[i % 25] ?? 'root'} from 10.0.0.${i} port ${i}`,
    );
    const states = times(
      80,
      (i) => `[instance: ${i}] VM ${['Started', 'Stopped', 'Paused'][i % 3]} (Lifecycle Event)`,
    );
    expect(counted([...logins, ...states])).toEqual([
      ['Failed password for <*> from <address> port <number>', 70],
      ['[instance: <number>] VM Started (Lifecycle Event)', 27],
      ['[instance: <number>] VM Stopped (Lifecycle Event)', 27],
      ['[instance: <number>] VM Paused (Lifecycle Event)', 26],
    ]);
  });

  test('a word after "user" is a value, even with few values', () => {
    const messages = times(40, (i) => `session opened for user ${i % 2 ? 'news' : 'cyrus'} by (uid=0)`);
    expect(counted(messages)).toEqual([['session opened for user <*> by (uid=<number>)', 40]]);
  });

  test('two places that vary together are recognised by many rare pairs', () => {
    const letters = (i: number) => String.fromCharCode(97 + (i % 26)).repeat(3 + Math.floor(i / 26));
    const messages = times(30, (i) => `Registering class ${letters(i)} for class ${letters(i + 7)}Handler`);
    expect(counted(messages)).toEqual([['Registering class <*> for class <*>', 30]]);
  });

  test('the values of a variable, the most frequent first', () => {
    const messages = times(10, (i) => `job ${i < 6 ? 7 : i} of tenant-${i % 2} ended`);
    const variables = patternsOf(messages)[0]?.template.filter(isVariable);
    expect(variables).toEqual([
      {
        variable: 'number',
        values: [
          { value: '7', count: 7 },
          { value: '6', count: 1 },
          { value: '8', count: 1 },
        ],
        distinct: 4,
        more: false,
      },
      {
        variable: 'number',
        values: [
          { value: '0', count: 5 },
          { value: '1', count: 5 },
        ],
        distinct: 2,
        more: false,
      },
    ]);
  });

  test('text beyond the limits becomes the rest', () => {
    const messages = times(3, (i) => `dump ${'word '.repeat(300)}${i}`);
    const [pattern] = patternsOf(messages);
    expect(pattern?.count).toBe(3);
    expect(pattern?.template.at(-1)).toMatchObject({ variable: 'rest' });
  });

  test('with too many candidates, the rarest messages have no pattern', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const word = (i: number) => [0, 1, 2].map((digit) => letters[Math.floor(i / 26 ** digit) % 26]).join('');
    const noise = times(3000, (i) =>
      times(1 + (i % 40), (k) => word(i * 31 + k * 17)).join(i % 2 ? ' ' : ', '),
    );
    const messages = noise.flatMap((text, i) => [text, `steady heartbeat ${i}`]);
    const patterns = patternsOf(messages, 100);
    expect(patterns.find(({ text }) => text === 'steady heartbeat <number>')?.count).toBe(3000);
    expect(patterns.find(({ text }) => text === '(none)')?.count).toBeGreaterThan(0);
    expect(patterns.length).toBeLessThanOrEqual(101);
    expect(patterns.reduce((sum, { count }) => sum + count, 0)).toBe(messages.length);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc
    .array(
      fc.constantFrom(
        'error',
        'user',
        'a',
        '17',
        '-',
        '()',
        '"',
        '10.0.0.1',
        '/a/b',
        '\u0000',
        ' ',
        ',',
        '=',
        '😀',
        'x1y2',
      ),
    )
    .map((parts) => parts.join('')),
);

test('every message is in one pattern, and its values fill the template', () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 60 }), fc.integer({ min: 2, max: 50 }), (messages, room) => {
      const patterns = patternsOf(messages, room);
      const numbers = patterns.flatMap((pattern) => pattern.messages).sort((a, b) => a - b);
      expect(numbers).toEqual(messages.map((_, index) => index));
      for (const { template, messages: members, count } of patterns) {
        for (const part of template.filter(isVariable)) {
          if (part.variable === 'rest') continue;
          expect(part.values.reduce((sum, value) => sum + value.count, 0)).toBeLessThanOrEqual(count);
          expect(part.values.length).toBeGreaterThan(0);
        }
        // The template of a single message is that message, except for white space.
        if (members.length !== 1 || template.length === 0) continue;
        const filled = template
          .map((part) => (isVariable(part) ? (part.values[0]?.value ?? '') : part.text))
          .join('');
        expect(filled.replaceAll(/\s+/g, '')).toBe((messages[members[0] ?? 0] ?? '').replaceAll(/\s+/g, ''));
      }
    }),
    { numRuns: 300 },
  );
});

test('huge lines do not block', () => {
  const size = 2_000_000;
  const units = [
    '1',
    'a',
    '1a',
    '/',
    '/a',
    '.',
    'a.',
    '1.',
    ':',
    '1:',
    'a@',
    '"',
    '(',
    ' ',
    '-',
    '_1',
    'Jan ',
    '\u0000',
    'ä',
    '1,',
    '0x',
    'a://',
  ];
  const messages = units.map((unit) => unit.repeat(Math.ceil(size / unit.length)));
  expect(patternsOf(messages).reduce((sum, { count }) => sum + count, 0)).toBe(messages.length);
});

describe('the query of a pattern', () => {
  const queryOf = (field: string, messages: readonly string[]) =>
    patternQuery(field, patternsOf(messages)[0]?.template ?? [], false);

  test('for texts: the fixed words between the variables, without parts of words', () => {
    const messages = times(
      5,
      (i) => `eth${i}: link "up" at ${i} Mbps, full-duplex; node7 says v${i}beta now`,
    );
    expect(queryOf('message', messages)).toBe(
      'message:"link up at" AND message:"Mbps full duplex" AND message:"says" AND message:"now"',
    );
    expect(queryOf('message', ['1', '2'])).toBeUndefined();
  });

  test('for other fields: the whole value with wildcards', () => {
    const messages = times(3, (i) => `user:${i} said (hi)  there`);
    expect(queryOf('path', messages)).toBe('path:user\\:*said*\\(hi\\)*there');
    expect(queryOf('path', ['1 2', '3 4'])).toBeUndefined();
  });

  test.each(['message', 'note'])('finds all messages of the pattern: field %s', (field) => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 30 }), (texts) => {
        for (const { template, messages } of patternsOf(texts)) {
          const text = patternQuery(
            field,
            template,
            messages.some((number) => texts[number]?.trim() !== texts[number]),
          );
          if (text === undefined) continue;
          const { query, problems } = parseQuery(text);
          if (query === undefined) throw new Error(`${text}: ${JSON.stringify(problems)}`);
          const matches = compilePredicate(query, { now: 0, timeZone: 'UTC' });
          for (const number of messages) {
            const value = texts[number] ?? '';
            const message = testMessage(
              field === 'message' ? { message: value } : { fields: { [field]: value } },
            );
            if (!matches(message)) throw new Error(`${text} does not find ${JSON.stringify(value)}`);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
