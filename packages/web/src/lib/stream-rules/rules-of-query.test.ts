import { describe, expect, test } from 'vitest';
import { describeRule, rulesOfQuery } from './index.ts';

const W = '[\\p{L}\\p{N}]';

function f(query: string, rules: string[], more: { any?: true; unfit?: string[]; nearly?: string[] } = {}) {
  const found = rulesOfQuery(query);
  expect({
    matching: found.matchingType,
    rules: found.rules.map(describeRule),
    unfit: found.unfit.map(({ clause }) => clause),
    nearly: found.nearly.map(({ clause }) => clause),
  }).toEqual({
    matching: more.any ? 'OR' : 'AND',
    rules,
    unfit: more.unfit ?? [],
    nearly: more.nearly ?? [],
  });
}

describe('a query as rules', () => {
  test('values, presence and everything', () => {
    f('*', ['any message']);
    f('http_status:404', ['http_status is exactly 404']);
    f('NOT http_status:404', ['http_status is not exactly 404']);
    f('user:Ann', ['user matches (?i)^Ann$']);
    f('user:"a.b (c)"', ['user matches (?i)^a\\.b \\(c\\)$']);
    f('_exists_:user', ['user is present']);
    f('NOT user:*', ['user is missing']);
    f('gl2_source_input:65a1b2c3d4e5f60718293a4b', ['came through input 65a1b2c3d4e5f60718293a4b']);
  });
  test('numbers', () => {
    f('level:<=3', ['level is smaller than 4']);
    f('level:>=4', ['level is greater than 3']);
    f('NOT level:>5', ['level is not greater than 5']);
    f('took_ms:>100', ['took_ms is greater than 100']);
    f('took_ms:<=100', ['took_ms is not greater than 100']);
    f('took_ms:[10 TO 20}', ['took_ms is not smaller than 10', 'took_ms is smaller than 20']);
  });
  test('words and patterns', () => {
    f('source:web-1', [`source matches (?i)(?<!${W})web[^\\p{L}\\p{N}]{1,9}1(?!${W})`]);
    f('message:timeout', [`message matches (?i)(?<!${W})timeout(?!${W})`]);
    f('path:/^\\/api\\//', ['path matches ^/api/']);
    f('host:db*', ['host matches (?i)^db']);
    f('host:*.org', ['host matches (?i)\\.org$']);
    f('host:d?', ['host matches (?i)^d.$']);
  });
  test('alternatives of one field are one rule, other alternatives make any of the rules enough', () => {
    f('level:3 AND user:(ann OR "bob")', ['level is exactly 3', 'user matches (?i)^(?:ann|bob)$']);
    f('user:(ann OR bob)', ['user matches (?i)^(?:ann|bob)$']);
    f('level:3 OR http_status:500', ['level is exactly 3', 'http_status is exactly 500'], { any: true });
    f('NOT (level:3 OR http_status:500)', ['level is not exactly 3', 'http_status is not exactly 500']);
  });
  test('what has no rule is named', () => {
    f('level:3 AND tiemout~', ['level is exactly 3'], { unfit: ['tiemout~'] });
    f('"disk full"~3', [], { unfit: ['"disk full"~3'] });
    f('streams:000000000000000000000001 AND level:3', ['level is exactly 3'], {
      unfit: ['streams:000000000000000000000001'],
    });
    f('timestamp:>now-1h', [], { unfit: ['timestamp:>now-1h'] });
    f('level:3 AND (user:ann OR host:db)', ['level is exactly 3'], { unfit: ['user:ann OR host:db'] });
    f('level:3 OR (user:1 AND host:2)', ['level is exactly 3'], { any: true, unfit: ['user:1 AND host:2'] });
    f('level:3 OR took:[1 TO 2]', ['level is exactly 3'], { any: true, unfit: ['took:[1 TO 2]'] });
    f('NOT took:>5', [], { unfit: ['NOT took:>5'] });
    f('path:/\\Aapi/', [], { unfit: ['path:/\\Aapi/'] });
  });
  test('a word without a field is looked for in the message, and says so', () => {
    f('timeout', [`message matches (?i)(?<!${W})timeout(?!${W})`], { nearly: ['timeout'] });
  });
  test('a query that cannot be read has no rules', () => {
    f('"abc', []);
  });
});
