import { describe, expect, test } from 'vitest';
import { MAX_CHARACTERS, MAX_WORDS, maskMessage } from './masking.ts';

/** The text with its varying parts as `<kind>`. */
function masked(text: string): string {
  const { words, end, cut } = maskMessage(text);
  const parts = words.map(
    ({ gap, prefix, kind, suffix }) => gap + prefix + (kind === undefined ? '' : `<${kind}>`) + suffix,
  );
  return parts.join('') + end + (cut ? '…' : '');
}

const WORDS: readonly (readonly [text: string, masked: string])[] = [
  ['plain words stay.', 'plain words stay.'],
  ['  many\t\tblanks \n and lines ', ' many blanks and lines'],
  ['took 15 ms', 'took <number>'],
  ['size 5.2 KB, free 5,125,000 bytes', 'size <number>, free <number>'],
  ['size=5.2KB free=17%', 'size=<number> free=<number>'],
  ['-127633188 and +3.5e-7', '<number> and <number>'],
  ['eth0 is up, part-00012.', 'eth<number> is up, part-<number>.'],
  ['blk_-6952295868487656571', 'blk_<number>'],
  ['attempt_1445144423722_0020_m_000001_0 done', 'attempt_<id> done'],
  ['0xdeadbeef 0000000d 31bf3856ad364e35', '<id> <id> <id>'],
  ['job c0ffee00-1234-4abc-8def-0123456789ab ok', 'job <id> ok'],
  ['from 10.251.73.220:50010 to /10.0.0.1', 'from <address> to <address>'],
  [
    '10.0.0.0/8 fe80::1:2 1:2:3:4:5:6:7:8 Add::face 00:1a:2b:3c:4d:5e',
    '<address> <address> <address> Add::face <address>',
  ],
  ['host db-7.example.org:5432 and zummit.com', 'host <address> and <address>'],
  ['10.11.21.122,10.11.10.1, 10.0.0.1 sent', '<address> sent'],
  ['GET /v2/servers/detail?limit=5&x=y HTTP/1.1', 'GET <path> HTTP/<number>'],
  ['open C:\\Windows\\winsxs\\a.dll, failed', 'open <path>, failed'],
  ['see https://example.org/a?b=c (or ftp://x.y/z)', 'see <url> (or <url>)'],
  ['mail to Some.Body+tag@mail.example.org', 'mail to <email>'],
  ['at 2026-01-31T12:00:00.123Z and 2026/1/31 or 12:00:01,5', 'at <time> and <time> or <time>'],
  ['[31/Jan/2026:12:00:00 +0100] Fri Jun 17 07:07:00 2005 done', '[<time>] <time> done'],
  ['May the force, Mon ami', 'May the force, Mon ami'],
  ['connection from x () at "" but main() and []', 'connection from x (<any>) at "<any>" but main() and []'],
  ['Grüße an Jürgen 😀 从 3', 'Grüße an Jürgen 😀 从 <number>'],
  ['a\u0000b\u001fc', 'a\u0000b\u001fc'],
  ['', ''],
  ['***', '***'],
];

describe('masking', () => {
  test.each(WORDS)('%j', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  test('words have their positions', () => {
    const text = 'user=anna  id: 17,18';
    expect(maskMessage(text).words.map(({ from, to }) => text.slice(from, to))).toEqual([
      'user',
      'anna',
      'id',
      '17,18',
    ]);
  });

  test('only the beginning of a long message is used', () => {
    const words = maskMessage('word '.repeat(MAX_WORDS + 1));
    expect([words.words.length, words.cut]).toEqual([MAX_WORDS, true]);
    const characters = maskMessage('x'.repeat(MAX_CHARACTERS + 1));
    expect([characters.words[0]?.to, characters.cut]).toEqual([MAX_CHARACTERS, true]);
    expect(maskMessage('x'.repeat(MAX_CHARACTERS)).cut).toBe(false);
  });
});
