import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStreamsFixture, type StreamsFixture } from '#testing/streams-fixture.ts';

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await createStreamsFixture({ streamTimeoutMs: 2500 });
});
afterAll(() => fixture.close());

const tool = async (name: string, body: object) => {
  const answer = await fixture.call('POST', `/tools/${name}`, { as: 'admin', body });
  return { status: answer.status, body: answer.body };
};

const CASES: readonly (readonly [tool: string, request: object, answer: object])[] = [
  [
    'regex_tester',
    { regex: 'b(c+)', string: 'abccd' },
    { matched: true, match: { match: 'cc', start: 2, end: 4 }, regex: 'b(c+)', string: 'abccd' },
  ],
  ['regex_tester', { regex: 'b', string: 'abc' }, { matched: true, match: null }],
  ['regex_tester', { regex: '(x)', string: 'abc' }, { matched: false, match: null }],
  [
    'regex_replace_tester',
    { regex: 'b', replacement: '-', replace_all: true, string: 'abab' },
    { matched: true, match: { match: 'a-a-', start: -1, end: -1 }, replacement: '-', replace_all: true },
  ],
  ['regex_replace_tester', { regex: 'x', string: 'abc' }, { matched: false, match: null, replacement: '$1' }],
  [
    'grok_tester',
    { pattern: '%{WORD:w} %{NUMBER:n;int}', string: 'a 5', named_captures_only: true },
    {
      matched: true,
      matches: [
        { name: 'w', match: 'a' },
        { name: 'n', match: '5' },
      ],
      error_message: null,
    },
  ],
  ['grok_tester', { pattern: '%{IP:a}', string: 'x' }, { matched: false, matches: [], error_message: null }],
  [
    'grok_tester',
    { pattern: '%{NOSUCH:a}', string: 'x' },
    { matched: false, matches: [], error_message: 'pattern: there is no grok pattern NOSUCH.' },
  ],
  [
    'json_tester',
    { string: '{"a":{"b":1},"l":[1,2],"big":9007199254740993}', key_prefix: 'j_' },
    {
      matches: { j_a_b: 1, j_l: '1, 2', j_big: '9007199254740993' },
      flatten: false,
      line_separator: ', ',
      key_separator: '_',
      kv_separator: '=',
    },
  ],
  [
    'split_and_index_tester',
    { split_by: ',', index: 2, string: 'a,bc' },
    { successful: true, cut: 'bc', begin_index: 2, end_index: 4 },
  ],
  [
    'split_and_index_tester',
    { split_by: ',', index: 9, string: 'a,bc' },
    { successful: false, cut: null, begin_index: -1, end_index: -1 },
  ],
  [
    'substring_tester',
    { begin_index: 1, end_index: 2, string: 'abc' },
    { successful: true, cut: 'b', begin_index: 1, end_index: 2 },
  ],
  ['substring_tester', { begin_index: 1, end_index: 9, string: 'abc' }, { successful: false, cut: null }],
  [
    'contains_string_tester',
    { search_string: 'b', string: 'abc' },
    { matched: true, match: { start: 1, end: 2 }, search_string: 'b', string: 'abc' },
  ],
  ['contains_string_tester', { search_string: 'x', string: 'abc' }, { matched: false, match: null }],
];

test.each(CASES)('%s of %j', async (name, request, answer) => {
  expect(await tool(name, request)).toEqual({ status: 200, body: expect.objectContaining(answer) });
  const parameters = new URLSearchParams(Object.entries(request).map(([key, value]) => [key, String(value)]));
  const got = await fixture.call('GET', `/tools/${name}?${parameters}&pretty=true`, { as: 'admin' });
  expect([got.status, got.body]).toEqual([200, expect.objectContaining(answer)]);
});

test.each([
  ['regex_tester', { regex: '(', string: 'x' }, 'regex'],
  ['json_tester', { string: 'not json' }, 'string'],
  ['split_and_index_tester', { split_by: '', index: 1, string: 'x' }, 'split_by'],
  ['split_and_index_tester', { split_by: ',', index: 0, string: 'x' }, 'index'],
  ['substring_tester', { string: 'x', begin_index: 'a', end_index: 2 }, 'begin_index'],
  ['regex_tester', { regex: 'x', string: 'y'.repeat(100_001) }, 'string'],
])('%s refuses %j', async (name, request, path) => {
  const { status, body } = await tool(name, request);
  expect(status).toBe(400);
  expect(body.problems).toContainEqual(expect.objectContaining({ path }));
});

test('a bad expression is named once', async () => {
  for (const name of ['regex_tester', 'regex_replace_tester']) {
    const { body } = await tool(name, { regex: '(', string: 'x' });
    expect(body.problems).toEqual([{ path: 'regex', message: expect.any(String) }]);
    expect(body.message).toBe(`regex: ${body.problems[0].message}.`);
  }
});

test('a catastrophic expression is broken off, and the API answers meanwhile', async () => {
  const trap = `${'a'.repeat(40)}b`;
  const slow = [
    tool('regex_tester', { regex: '^(a+)+$', string: trap }),
    tool('grok_tester', { pattern: '^(a+)+%{WORD:w}x$', string: trap }),
  ];
  expect((await tool('regex_tester', { regex: '(a)', string: 'a' })).status).toBe(200);
  for (const { status, body } of await Promise.all(slow)) {
    expect([status, body.message]).toEqual([400, expect.stringContaining('longer than the 2500 ms')]);
  }
});

test('an expression is checked without a text', async () => {
  const validate = async (regex: string) =>
    (
      await fixture.call('GET', `/tools/regex_tester/validate?regex=${encodeURIComponent(regex)}`, {
        as: 'admin',
      })
    ).body;
  expect(await validate('^(a+)+$')).toEqual({ regex: '^(a+)+$', is_valid: true, validation_message: null });
  expect(await validate('a(')).toMatchObject({
    is_valid: false,
    validation_message: expect.stringContaining('at character'),
  });
});
