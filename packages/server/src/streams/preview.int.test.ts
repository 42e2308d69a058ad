import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_STREAM_ID, fieldReader, type Message } from '#core/index.ts';
import { useTestClickHouse } from '#testing/clickhouse.ts';
import { createSearchFixture, SEARCH_NOW, type SearchFixture } from '#testing/search-fixture.ts';
import { createMatchThreads } from './management/match-threads.ts';
import { createStreamPreview } from './management/preview.ts';
import { createTestMatcher } from './management/test-match.ts';
import { Predicate } from './rules/predicate.ts';
import { type BuiltInRuleType, RULE_TYPE } from './rules/rule.ts';

const server = useTestClickHouse();
let fixture: SearchFixture;
let messages: Message[];

beforeAll(async () => {
  fixture = await createSearchFixture(server());
  const both = { streams: [DEFAULT_STREAM_ID, 'web'], indexSets: ['millrace', 'web'] };
  messages = await fixture.store([
    { message: 'one', level: 3, fields: { took: 5, user: 'ann' } },
    { message: ' two ', source: 'web-1', fields: { took: '7', user: '' }, ...both },
    { message: 'three', fullMessage: 'three\nlines', fields: { took: 9_007_199_254_740_993n } },
    { message: 'four', source: 'web-2', fields: { took: 40.5, ok: true }, ...both },
    { message: 'five', timestamp: SEARCH_NOW - 3_600_000, fields: { took: 'none' } },
    { message: 'six', level: 7, streams: ['web'], indexSets: ['web'] },
  ]);
});
afterAll(() => fixture.close());

const FIELDS = [
  'message',
  'source',
  'level',
  'took',
  'user',
  'ok',
  'full_message',
  'timestamp',
  'streams',
  'gl2_remote_ip',
  'gl2_receive_timestamp',
  'nothing',
];
const VALUES: Record<BuiltInRuleType, readonly string[]> = {
  [RULE_TYPE.exact]: ['one', 'two', '7', 'true', '192.0.2.7', '9007199254740993'],
  [RULE_TYPE.regex]: ['^web-', 'o', '\\d', '^2026', 'lines'],
  [RULE_TYPE.greater]: ['5', '9007199254740992'],
  [RULE_TYPE.smaller]: ['6', '1e15'],
  [RULE_TYPE.presence]: [''],
  [RULE_TYPE.contains]: ['0', 'e', 'T1'],
  [RULE_TYPE.always]: [''],
  [RULE_TYPE.input]: ['65A1B2C3D4E5F60718293A4B', 'other'],
};

/** Every type of rule on every kind of field, straight and inverted. */
const RULES = FIELDS.flatMap((field) =>
  Object.entries(VALUES).flatMap(([type, values]) =>
    values.flatMap((value) =>
      [false, true].map((inverted) => ({ type: Number(type) as BuiltInRuleType, field, value, inverted })),
    ),
  ),
);

test('stored messages match the rules that they would match while they are routed', async () => {
  const threads = createMatchThreads();
  const { preview } = createStreamPreview(
    {
      readSample: fixture.search.samples.newest,
      threads,
      testMatcher: createTestMatcher(threads, { timeoutMs: 2000 }),
    },
    { streamTimeoutMs: 2000, maxFaults: 3 },
  );
  const differences: object[] = [];
  for (let at = 0; at < RULES.length; at += 400) {
    const rules = RULES.slice(at, at + 400);
    const answer = await preview(
      { principal: fixture.admin },
      {
        rules: rules.map((rule) => ({ ...rule, description: '' })),
        matching_type: 'OR',
        timerange: { type: 'relative', range: 0 },
        sample: 100,
        examples: 0,
      },
    );
    expect(answer.looked_at).toBe(messages.length);
    for (const [index, rule] of rules.entries()) {
      const predicate = new Predicate(rule);
      const read = fieldReader(predicate.field);
      const routed = messages.filter((message) => predicate.evaluate(read(message))).length;
      const previewed = answer.rules[index]?.matched;
      if (routed !== previewed) differences.push({ ...rule, routed, previewed });
    }
  }
  expect(RULES.length).toBeGreaterThan(400);
  expect(differences).toEqual([]);
});

test('a reader gets only messages of streams they may read', async () => {
  const reader = fixture.user(`streams:read:${fixture.streamId('web')}`);
  const batches = await Array.fromAsync(
    fixture.search.samples.newest(
      { principal: reader },
      { range: { type: 'relative', range: 0 }, limit: 10, fields: ['message'] },
    ),
  );
  const texts = batches.flat().map(({ fields }) => fields.get('message'));
  expect(texts.toSorted()).toEqual([' two ', 'four', 'six']);
});

test('a sample can be of a query and of streams, with all fields', async () => {
  const all = { range: { type: 'relative', range: 0 }, limit: 10 } as const;
  const sample = async (request: { query?: string; streams?: string[] }) =>
    (
      await Array.fromAsync(
        fixture.search.samples.newest({ principal: fixture.admin }, { ...all, ...request }),
      )
    ).flat();
  const found = await sample({ query: 'ok:true' });
  expect(found.map(({ fields }) => [fields.get('message'), fields.get('took'), fields.get('ok')])).toEqual([
    ['four', 40.5, true],
  ]);
  const web = await sample({ streams: [fixture.streamId('web')] });
  expect(web.map(({ fields }) => fields.get('message')).toSorted()).toEqual([' two ', 'four', 'six']);
});
