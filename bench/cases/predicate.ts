/**
 * What a compiled query costs for one message, as live tail pays it: alone, and as one of many that share the texts
 * of a message. Nanoseconds on one thread, the best of several rounds. The last line is JSON.
 */
import { parseQuery } from '../../packages/query/src/index.ts';
import { createFieldLayouts, Message } from '../../packages/server/src/core/index.ts';
import { compilePredicate, createMessageTexts } from '../../packages/server/src/search/query/index.ts';

const MESSAGES = 1000;
const ROUNDS = 15;
const CONTEXT = { now: Date.UTC(2026, 0, 1), timeZone: 'UTC' };
const NANOSECONDS = 1e6;

const QUERIES = [
  '*',
  'timeout',
  '"answered 200"',
  'source:web-7.example.org',
  'status:>=500',
  'method:GET AND NOT path:\\/health',
  'request_id:00000007-aaaa-4bbb-8ccc-000000000007',
  'timeout OR refused OR status:503',
  'path:\\/api\\/v1\\/*',
  'item* AND *zilla*',
  '/items\\/[0-9]{3,} answered/',
  'path:/^\\/api\\/v[12]\\//',
  'answred~1',
  '"answered ms"~3',
  'timestamp:>now-1h',
];

function messages(): Message[] {
  const layouts = createFieldLayouts();
  return Array.from({ length: MESSAGES }, (_, i) => {
    const message = new Message({
      timestamp: CONTEXT.now - i,
      source: `web-${i % 20}.example.org`,
      message: `GET /api/v1/items/${(i * 37) % 10_007} answered ${i % 50 === 0 ? 503 : 200} in ${i % 500} ms`,
      fullMessage: undefined,
      level: 6,
      layout: layouts.empty(),
      values: [],
      notes: 0,
      origin: { inputId: '68a1b2c3d4e5f60718293a4b', remoteAddress: '192.0.2.7', remotePort: 40_000 },
      receivedAt: CONTEXT.now,
      size: 366,
    });
    const fields = {
      method: 'GET',
      path: `/api/v1/items/${(i * 37) % 10_007}`,
      status: i % 50 === 0 ? 503 : 200,
      duration_ms: (i % 500) + 0.25,
      client_ip: `10.${i % 256}.${(i * 7) % 256}.${(i * 13) % 256}`,
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0',
      request_id: `${String(i).padStart(8, '0')}-aaaa-4bbb-8ccc-${String(i).padStart(12, '0')}`,
    };
    for (const [name, value] of Object.entries(fields)) message.setField(name, value);
    return message;
  });
}

/** Nanoseconds for one message, and how many matched. */
function measure(batch: readonly Message[], matches: (message: Message) => boolean): [number, number] {
  let best = Number.POSITIVE_INFINITY;
  let matched = 0;
  for (let round = 0; round < ROUNDS; round++) {
    matched = 0;
    const start = performance.now();
    for (const message of batch) if (matches(message)) matched++;
    best = Math.min(best, performance.now() - start);
  }
  return [(best / batch.length) * NANOSECONDS, matched];
}

export async function run(): Promise<void> {
  const batch = messages();
  const results: Record<string, { alone: number; shared: number }> = {};
  for (const text of QUERIES) {
    const { query, problems } = parseQuery(text);
    if (query === undefined) throw new Error(`${text}: ${JSON.stringify(problems)}`);
    const [alone, matched] = measure(batch, compilePredicate(query, CONTEXT));
    const texts = createMessageTexts();
    const others = Array.from({ length: 9 }, () => compilePredicate(query, CONTEXT, texts));
    const [ten] = measure(batch, (message) => {
      texts.setMessage(message);
      return others.filter((predicate) => predicate(message)).length > 0;
    });
    const shared = ten / others.length;
    results[text] = { alone: Math.round(alone), shared: Math.round(shared) };
    console.log(
      `${text.padEnd(50)} ${String(Math.round(alone)).padStart(7)} ns alone ${String(Math.round(shared)).padStart(7)} ns of nine   ${matched} match`,
    );
  }
  console.log(JSON.stringify({ predicate: results }));
}
