import type { Message } from '#core/index.ts';
import { type MessageParts, testMessage, testMessageId } from './messages.ts';

/** When the messages of the table were sent that have no time of their own: noon, one a second. */
const START = Date.UTC(2026, 5, 1, 12);
/** A number field that tells which message it is, out of the way of all numbers the queries look for. */
export const ROW_FIELD = 'row';
const FIRST_ROW = 9_000_000;

/** The messages that the queries of the table look for, by the names the table calls them. */
export const TABLE_MESSAGES: Readonly<Record<string, MessageParts>> = {
  refused: {
    message: 'Connection REFUSED by peer 10.0.0.1:5432',
    source: 'Gate-7',
    level: 3,
    fields: { user: 'Alice', status: 503, path: '/api/orders', method: 'GET' },
  },
  accepted: {
    message: 'Connection accepted from 10.0.0.2',
    source: 'gate-8.example.org',
    fields: { user: 'alice', status: 200, path: '/api/orders/42', method: 'get', duration_ms: 12.5 },
  },
  timeout: {
    message: 'Request timed out after 30 s',
    fullMessage:
      'java.net.SocketTimeoutException: Read timed out\n\tat com.example.Client.read(Client.java:42)',
    source: 'app-1',
    level: 4,
    fields: { user: 'bob', status: 504, duration_ms: 30_000 },
  },
  textStatus: {
    message: 'Legacy gateway answered',
    fields: { status: '404', code: 'E-404', user: 'Bob Smith' },
  },
  numberStatus: { message: 'Modern gateway answered', fields: { status: 404, code: 404, ok: false } },
  healthy: { message: 'Health check passed', fields: { ok: true, retries: 0 } },
  healthyText: { message: 'Health check as text', fields: { ok: 'TRUE', retries: '0' } },
  shipped: {
    message: 'parcel shipped',
    fields: { request_id: '99b2e2f1-19c9-67e7-bdb1-a290e8c5c428', code: 'order12345' },
  },
  shippedToo: {
    message: 'parcel shipped',
    fields: { request_id: '00000000-1111-2222-3333-0000000ec428', code: 'order12346' },
  },
  umlauts: { message: 'Überprüfung fehlgeschlagen für Größe', fields: { value: 'Köln', user: 'Jürgen' } },
  capitals: { message: 'ÜBERPRÜFUNG ERFOLGREICH', fields: { value: 'KÖLN' } },
  japanese: { message: '接続が拒否されました エラー', fields: { value: '東京' } },
  emoji: { message: 'deploy 🚀 done 👍🏽', fields: { value: '🦀', note: '🇩🇪' } },
  hebrew: { message: 'שגיאה בחיבור למסד הנתונים', fields: { value: 'مرحبا بالعالم' } },
  zeroWidth: { message: 'zero\u200bwidth joiner', fields: { value: 'a\u200db' } },
  turkish: { message: 'İSTANBUL servisi', fields: { value: 'IĞDIR' } },
  greek: { message: 'ΟΔΟΣ κλειστή', fields: { value: 'Οδός' } },
  kelvin: { message: 'temperature 300 \u212a', fields: { value: '\u212aelvin' } },
  quoted: { message: 'He said "hello world" at C:\\Temp\\x', fields: { path: 'C:\\Temp\\File.txt' } },
  specials: {
    message: 'a+b=c && d || e ! (f) {g} [h] ^i ~j *k ?l :m /n =>',
    fields: { value: 'a*b?c', note: '100%_done', code: '`x`', method: "it's" },
  },
  dotted: {
    message: 'names with dots',
    fields: { 'user.id': 'u-1', 'user.name': 'Zoë', 'a-b': 'dash', web: 1, 'web.port': 8080 },
  },
  numbers: {
    message: 'several numbers',
    fields: { n: -5, f: 0.1, big: 9_007_199_254_740_993n, retries: 1e21, port: -0.5 },
  },
  numberTexts: {
    message: 'texts of digits',
    fields: { n: '-5', f: '0.10', retries: '1e3', note: '12 apples' },
  },
  empty: { message: 'nothing inside', fields: { value: '', code: ' ' } },
  fox: { message: 'The quick brown fox jumps over the lazy dog' },
  dog: { message: 'the lazy dog sleeps while the quick fox runs' },
  apart: { message: 'alpha', fullMessage: 'beta', fields: { value: 'gamma', note: 'delta' } },
  carol: { message: 'user carol logged in', fields: { user: 'carol', note: 'carol logged' } },
  address: { message: 'from 192.168.1.100', fields: { value: '192.168.1.100', port: 443 } },
  addressToo: { message: 'from 192.168.1.23', fields: { value: '192.168.1.23', port: 80 } },
  release: { message: 'release v1.2.3-beta', fields: { value: '1.2.3', note: '2026.11.15' } },
  stderr: { message: 'stderr: error E1001 in module-net, errors: 0' },
  lines: { message: 'line one\nline two\tTabbed' },
  beforeSummer: { message: 'clock', timestamp: Date.UTC(2026, 2, 29, 0, 59, 59, 999) },
  inSummer: { message: 'clock', timestamp: Date.UTC(2026, 2, 29, 1) },
  firstHalfPastTwo: { message: 'clock', timestamp: Date.UTC(2026, 9, 25, 0, 30) },
  secondHalfPastTwo: { message: 'clock', timestamp: Date.UTC(2026, 9, 25, 1, 30) },
  oldYear: { message: 'party', timestamp: Date.UTC(1999, 11, 31, 23, 59, 59, 500) },
  injection: {
    message: "Robert'); DROP TABLE students;--",
    fields: { user: "admin' OR '1'='1" },
  },
  markup: { message: '<script>alert(1)</script>', level: 7, source: 'browser' },
};

export const TABLE_NAMES: readonly string[] = Object.keys(TABLE_MESSAGES);

/** The number in `ROW_FIELD` of a message. */
export function rowOf(name: string): number {
  return FIRST_ROW + TABLE_NAMES.indexOf(name);
}

export function nameOfRow(row: number): string {
  return TABLE_NAMES[row - FIRST_ROW] ?? `row ${row}`;
}

/** All of them, in the order of their names; the offset in the id is the position. */
export function tableMessages(): Message[] {
  return Object.entries(TABLE_MESSAGES).map(([name, parts], index) =>
    testMessage({
      timestamp: START + index * 1000,
      id: testMessageId(index),
      ...parts,
      fields: { ...parts.fields, [ROW_FIELD]: rowOf(name) },
    }),
  );
}
