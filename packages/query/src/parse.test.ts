import { expect, test } from 'vitest';
import {
  completionAt,
  explainQuery,
  fieldReferences,
  MAX_CLAUSES,
  MAX_NESTING,
  MAX_QUERY_LENGTH,
  type ParsedQuery,
  parseQuery,
  printQuery,
} from './index.ts';

/** The canonical text of the parsed query. */
function meaning(text: string): string {
  const { query, problems } = parseQuery(text);
  return query === undefined ? `refused: ${problems[0]?.message}` : printQuery(query);
}

/** The query as written and in canonical form. */
const MEANINGS: readonly (readonly [string, string])[] = [
  // everything
  ['', '*'],
  ['  \t\n', '*'],
  ['*', '*'],
  ['**', '*'],
  ['*:*', '*'],
  ['* AND a', 'a'],
  ['* OR a', '*'],
  ['NOT *', 'NOT *'],
  // terms and phrases
  ['timeout', 'timeout'],
  ['Größe 🙂', 'Größe OR 🙂'],
  ['"connection refused"', '"connection refused"'],
  ['"say \\"hello\\""', '"say \\"hello\\""'],
  ['"C:\\temp"', '"C:\\\\temp"'],
  ['DOMAIN\\user', 'DOMAIN\\\\user'],
  ['a\\ b', 'a\\ b'],
  ['a\\:b', 'a\\:b'],
  ['\\AND', '\\AND'],
  ['ANDROID ORACLE NOTE', 'ANDROID OR ORACLE OR NOTE'],
  ['hello!', 'hello!'],
  ['usr/bin', 'usr/bin'],
  ['AT&T', 'AT&T'],
  // fields
  ['level:3', 'level:3'],
  ['level : 3', 'level:3'],
  ['level: 3', 'level:3'],
  ['temperature:-5', 'temperature:\\-5'],
  ['user.name:"Ann Lee"', 'user.name:"Ann Lee"'],
  ['a\\:b:c', 'a\\:b:c'],
  ['*:error', 'error'],
  ['_exists_:user', '_exists_:user'],
  ['_exists_:"user name"', '_exists_:user\\ name'],
  ['_exists_:(a OR b)', '_exists_:a OR _exists_:b'],
  ['user:*', '_exists_:user'],
  ['user:[* TO *]', '_exists_:user'],
  ['_missing_:user', 'NOT _exists_:user'],
  ['user:""', 'user:""'],
  ['level:(3 OR 4)', 'level:3 OR level:4'],
  ['level:(3 4)', 'level:3 OR level:4'],
  ['level:(NOT 3)', 'NOT level:3'],
  ['level:(3 OR source:web)', 'level:3 OR source:web'],
  ['level:(3 OR (4 AND 5))', 'level:3 OR level:4 AND level:5'],
  ['status:(>=400 AND <500)', 'status:[400 TO *] AND status:[* TO 500}'],
  // operators
  ['a b', 'a OR b'],
  ['a OR b AND c', 'a OR b AND c'],
  ['a AND b OR c AND d', 'a AND b OR c AND d'],
  ['a AND b c', 'a AND b OR c'],
  ['(a OR b) AND c', '(a OR b) AND c'],
  ['a && b || c', 'a AND b OR c'],
  ['a &&b', 'a AND b'],
  ['!a', 'NOT a'],
  ['a AND !b', 'a AND NOT b'],
  ['NOT NOT a', 'a'],
  ['NOT (a OR b)', 'NOT (a OR b)'],
  ['((a))', 'a'],
  ['a NOT b', 'a AND NOT b'],
  ['a -b', 'a AND NOT b'],
  ['a b -c', '(a OR b) AND NOT c'],
  ['-a -b', 'NOT a AND NOT b'],
  ['NOT a NOT b', 'NOT a AND NOT b'],
  ['a OR NOT b', 'a OR NOT b'],
  ['NOT a OR b', 'NOT a OR b'],
  ['a OR -b', 'a AND NOT b'],
  ['(NOT a) b', 'NOT a OR b'],
  ['+a b', 'a'],
  ['+a b -c', 'a AND NOT c'],
  ['+a +b', 'a AND b'],
  ['a AND -b', 'a AND NOT b'],
  ['+a AND b c', 'a AND b'],
  ['+(a b) -level:7', '(a OR b) AND NOT level:7'],
  ['a-b', 'a-b'],
  // wildcards, regular expressions, fuzzy
  ['time*', 'time*'],
  ['*out', '*out'],
  ['t?me*t', 't?me*t'],
  ['a**b', 'a*b'],
  ['a\\*b', 'a\\*b'],
  ['a\\*b*', 'a\\*b*'],
  ['host:web-*', 'host:web-*'],
  ['user*:a', 'user*:a'],
  ['u?er*:(a OR 1)', 'u?er*:a OR u?er*:1'],
  ['nu*:>=5', 'nu*:[5 TO *]'],
  ['f_*:*', '_exists_:f_*'],
  ['_exists_:f_*', '_exists_:f_*'],
  ['_missing_:f_*', 'NOT _exists_:f_*'],
  ['_exists_:*', '*'],
  ['**:a', 'a'],
  ['/time(out|d)/', '/time(out|d)/'],
  ['path:/\\/api\\/.*/', 'path:/\\/api\\/.*/'],
  ['/a b/ c', '/a b/ OR c'],
  ['timout~', 'timout~2'],
  ['timout~1', 'timout~1'],
  ['timout~0.8', 'timout~1'],
  ['"a b"~5', '"a b"~5'],
  ['user:ann~1', 'user:ann~1'],
  // ranges
  ['took:[1 TO 5]', 'took:[1 TO 5]'],
  ['took:{1 TO 5]', 'took:{1 TO 5]'],
  ['took:[-5 TO *]', 'took:[-5 TO *]'],
  ['took:>5', 'took:{5 TO *]'],
  ['took:>=5', 'took:[5 TO *]'],
  ['took:<5', 'took:[* TO 5}'],
  ['took:<= 5', 'took:[* TO 5]'],
  ['took:>=-5.5', 'took:[-5.5 TO *]'],
  ['name:[ann TO "bob b"]', 'name:[ann TO "bob b"]'],
  ['name:["*" TO *]', 'name:["*" TO *]'],
  ['timestamp:["2019-07-23 09:53:08.175" TO now-5m]', 'timestamp:["2019-07-23 09:53:08.175" TO now-5m]'],
  ['timestamp:[2019-07-23T09:53:08.175Z TO now/d]', 'timestamp:[2019-07-23T09:53:08.175Z TO "now/d"]'],
  ['timestamp:>"2019-07-23 09:53:08"', 'timestamp:{"2019-07-23 09:53:08" TO *]'],
  ['timestamp:>=2019-07-23T09:53:08', 'timestamp:[2019-07-23T09:53:08 TO *]'],
  // boosts do nothing
  ['a^2 b', 'a OR b'],
  ['(a b)^0.5', 'a OR b'],
  ['a~1^2', 'a~1'],
  ['a^2~1', 'a~1'],
];

test.each(MEANINGS)('%s is read as %s', (text, expected) => {
  expect(meaning(text)).toBe(expected);
});

/** The first problem of a query: severity, text and correction. */
function firstProblem({ text, problems }: ParsedQuery) {
  const problem = problems[0];
  if (problem === undefined) return undefined;
  return [problem.severity, text.slice(problem.at.from, problem.at.to), problem.replacement];
}

const PROBLEMS: readonly (readonly [string, 'error' | 'warning', string, string | undefined])[] = [
  ['"connection refused', 'error', '"connection refused', '"connection refused"'],
  ['message:"a AND b', 'error', '"a AND b', 'message:"a AND b"'],
  ['"a\\', 'error', '"a\\', undefined],
  ['(a OR b', 'error', '(', '(a OR b)'],
  ['(a OR (b AND c', 'error', '(', '(a OR (b AND c))'],
  ['level:(3 OR 4', 'error', '(', 'level:(3 OR 4)'],
  ['a)', 'error', ')', 'a'],
  ['a ] b', 'error', ']', 'a b'],
  ['()', 'error', '()', undefined],
  ['AND a', 'error', 'AND', 'a'],
  ['a AND', 'error', 'AND', 'a'],
  ['a OR', 'error', 'OR', 'a'],
  ['AND', 'error', 'AND', undefined],
  ['a AND OR b', 'error', 'OR', undefined],
  ['a NOT', 'error', 'NOT', 'a'],
  ['a -', 'error', '-', 'a'],
  ['(AND)', 'error', 'AND', undefined],
  ['level:', 'error', 'level:', 'level:*'],
  ['level: AND a', 'error', 'level:', 'level:* AND a'],
  ['level:AND a', 'error', 'level:', 'level:* AND a'],
  ['level:>', 'error', '>', undefined],
  ['level:> AND a', 'error', '> AND', undefined],
  ['a and b', 'warning', 'and', 'a AND b'],
  ['a Or b', 'warning', 'Or', 'a OR b'],
  ['not a', 'warning', 'not', 'NOT a'],
  ['took:[1 5]', 'error', '[1 5]', 'took:[1 TO 5]'],
  ['took:[1 to 5]', 'error', '[1 to 5]', 'took:[1 TO 5]'],
  ['took:[1 TO 5', 'error', '[1 TO 5', 'took:[1 TO 5]'],
  ['took:[1 TO ]', 'error', '[1 TO ]', undefined],
  ['took:[]', 'error', '[]', undefined],
  ['t:[2020-01-01 12:00 TO now]', 'error', '[2020-01-01 12:00 TO now]', 't:["2020-01-01 12:00" TO now]'],
  ['took:[5 TO 1]', 'warning', '[5 TO 1]', 'took:[1 TO 5]'],
  ['[error] a', 'error', '[error]', '"[error]" a'],
  ['>5', 'error', '>5', '">5"'],
  ['<html>', 'error', '<html>', '"<html>"'],
  ['status>=400', 'warning', 'status>=400', 'status:>=400'],
  ['a||b', 'warning', 'a||b', 'a || b'],
  ['/(?=a)b/', 'error', '/(?=a)b/', undefined],
  ['/(a/', 'error', '/(a/', undefined],
  ['/a/i', 'error', 'i', '/(?i)a/'],
  ['/var/log/syslog', 'error', '/var/', '"/var/log/syslog"'],
  ['path:/var/log', 'error', 'path:/var/', 'path:"/var/log"'],
  ['/var', 'error', '/var', '"/var"'],
  ['http://example.org/a', 'error', 'http://', '"http://example.org/a"'],
  ['url:http://example.org/a', 'error', ':', 'url:"http://example.org/a"'],
  ['12:30:45', 'error', ':', '"12:30:45"'],
  ['12:30', 'warning', '12', '"12:30"'],
  ['ip:fe80::1', 'error', ':', 'ip:"fe80::1"'],
  ['fe80::1', 'error', ':', '"fe80::1"'],
  ['timestamp:2019-07-23T09:53:08Z', 'error', ':', 'timestamp:"2019-07-23T09:53:08Z"'],
  ['a\\', 'error', '\\', 'a\\\\'],
  ['~a', 'error', '~', '\\~a'],
  ['a~3', 'error', '~3', 'a~2'],
  ['a*~', 'error', '~', 'a*'],
  ['"a"~1.5', 'error', '~1.5', '"a"~2'],
  ['a^2', 'warning', '^2', 'a'],
  ['a^', 'error', '^', 'a\\^'],
  ['""', 'error', '""', undefined],
  ['_missing_:a', 'warning', '_missing_:a', '(NOT _exists_:a)'],
  ['+a b', 'warning', 'b', undefined],
  ['a - b', 'warning', '-', undefined],
];

test.each(PROBLEMS)('%s: %s at %s, corrected to %s', (text, severity, at, replacement) => {
  expect(firstProblem(parseQuery(text))).toEqual([severity, at, replacement]);
});

test('every corrected query has no problems', () => {
  for (const [text, severity, , replacement] of PROBLEMS) {
    if (severity === 'error' && replacement !== undefined)
      expect(parseQuery(replacement).problems, text).toEqual([]);
  }
});

test('problems have a message and a suggestion', () => {
  for (const [text] of PROBLEMS) {
    for (const problem of parseQuery(text).problems) {
      expect(problem.message, text).toMatch(/^.+\.$/);
      expect(problem.suggestion, text).toMatch(/^[A-Z].+\.$/s);
    }
  }
});

test('a query with errors has no meaning; a query with warnings has one', () => {
  expect(parseQuery('a AND').query).toBeUndefined();
  expect(parseQuery('a and b').query).toBeDefined();
});

test('positions refer to the original text', () => {
  const { query } = parseQuery('  a OR user:"b c"~2');
  expect(query).toEqual({
    type: 'or',
    parts: [
      { type: 'match', field: undefined, match: { type: 'term', text: 'a' }, at: { from: 2, to: 3 } },
      {
        type: 'match',
        field: 'user',
        match: { type: 'phrase', text: 'b c', slop: 2 },
        at: { from: 7, to: 17 },
      },
    ],
  });
});

test('a query that exceeds a limit is refused with the limit', () => {
  expect(meaning('a'.repeat(MAX_QUERY_LENGTH + 1))).toBe(
    'refused: The query has 10001 characters; at most 10000 are allowed.',
  );
  expect(meaning(`${'('.repeat(MAX_NESTING + 1)}a${')'.repeat(MAX_NESTING + 1)}`)).toBe(
    'refused: The brackets of the query are nested 51 levels deep; at most 50 are allowed.',
  );
  expect(meaning(`${'('.repeat(MAX_NESTING)}a${')'.repeat(MAX_NESTING)}`)).toBe('a');
  expect(meaning('a '.repeat(MAX_CLAUSES + 1))).toBe('refused: The query has more than 1000 terms.');
  expect(parseQuery('a '.repeat(MAX_CLAUSES)).query).toBeDefined();
});

test.each([
  ['a OR ', 'b'],
  ['a AND ', 'b'],
  ['NOT a ', 'NOT b'],
  ['a ', '(b OR c) OR d'],
])('too many terms after %j are reported as that and nothing else', (repeated, end) => {
  // Brackets count as well: the first term in these is one too many.
  const times = end.startsWith('(') ? MAX_CLAUSES - 1 : MAX_CLAUSES;
  const { problems } = parseQuery(repeated.repeat(times) + end);
  expect(problems.map(({ message }) => message)).toEqual(['The query has more than 1000 terms.']);
});

test('the size of regular expressions includes repetitions and is summed over the query', () => {
  const large = (count: number) => `/${'\\pL{1000}'.repeat(count)}/`;
  expect(parseQuery(large(20)).query).toBeDefined();
  expect(meaning(large(21))).toContain('too large: more than 20000');
  expect(meaning(`${large(7)} OR ${large(7)} AND user:${large(7)}`)).toContain('too large: more than 20000');
  expect(meaning(`/${'((a{10}){10}b){10}'.repeat(25)}/`)).toContain('too large');
  expect(parseQuery(`/${'(a|b)*c+'.repeat(1000)}/`).query).toBeDefined();
});

test('the number of problems is limited', () => {
  expect(parseQuery(') '.repeat(4000)).problems).toHaveLength(20);
});

/** Each is repeated: endless nesting, unclosed tokens, unusual characters. */
const HOSTILE = [
  ...'( ) [ ] { } " \\ / * ? ~ ^ - + ! : < > & | \ud800 \u202e \u0000 \u3000 🙂 e\u0301'.split(' '),
  ...'a:( (a NOT( a:[ a:[1 a:> a:/ \\" /( /[ /a{ && || a&&b a:b: http:// fe80::1 "a a" _exists_:( *: */'.split(
    ' ',
  ),
  ...['a -', 'a AND ', 'NOT ', '/a/b ', '12:30:45 ', 'a:[1 TO ', '"a"~ ', 'a and ', '_missing_:a ', '(a) '],
];

test.each(HOSTILE)('%j repeated to the maximum length is parsed and completed', (piece) => {
  const text = piece.repeat(MAX_QUERY_LENGTH / piece.length);
  const { query, problems } = parseQuery(text);
  expect(query === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
  if (query !== undefined) expect(explainQuery(query)).toMatch(/^(All messages|Messages)/);
  for (const cursor of [0, text.length >> 1, text.length])
    expect(completionAt(text, cursor).kind).toBeTypeOf('string');
  expect(fieldReferences(text).length).toBeLessThanOrEqual(text.length);
});

test('a lone surrogate is replaced', () => {
  expect(meaning('a\ud800b')).toBe('a\ufffdb');
});
