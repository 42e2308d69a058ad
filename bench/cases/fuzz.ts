/**
 * `npm run bench -- fuzz [minutes] [target]`: mutates the corpus in `tests/fuzz/corpus` and gives it to every parser in
 * turn. Bytes with an outcome that was not seen before are mutated further; bytes that find a fault, or take more than a
 * second of processor time, are written to the corpus, which the suite replays. Runs for as long as wanted; a minute by
 * default.
 */
import fc from 'fast-check';
import { corpusOf, keepCrasher } from '../../tests/support/fuzz-corpus.ts';
import { FUZZ_TARGETS, type FuzzTarget } from '../../tests/support/fuzz-targets.ts';

const MINUTES = 1;
const TURN_MS = 1000;
const SLOW_MS = 1000;
const MAX_BYTES = 16_384;
/** Inputs kept in memory for each target; the oldest go first. */
const MAX_POOL = 500;
const RUNS_A_SAMPLE = 100;

interface Fuzzed {
  readonly name: string;
  readonly target: FuzzTarget;
  readonly pool: Buffer[];
  readonly outcomes: Set<string>;
  runs: number;
  slowestMs: number;
  readonly faults: string[];
}

export async function run(args: readonly string[]): Promise<void> {
  const minutes = Number(args[0] ?? MINUTES);
  const wanted = args[1];
  const all = Object.entries(FUZZ_TARGETS)
    .filter(([name]) => wanted === undefined || name === wanted)
    .map(([name, target]): Fuzzed => {
      const pool = corpusOf(name).map(({ bytes }) => bytes);
      return { name, target, pool, outcomes: new Set(), runs: 0, slowestMs: 0, faults: [] };
    });
  if (all.length === 0)
    throw new Error(`no target ${wanted}; there are ${Object.keys(FUZZ_TARGETS).join(', ')}`);
  for (const fuzzed of all) for (const bytes of [...fuzzed.pool]) await tryOut(fuzzed, bytes);
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) for (const fuzzed of all) await turn(fuzzed, end);
  for (const { name, runs, outcomes, slowestMs, faults } of all) {
    console.log(
      `${name}: ${runs} runs, ${outcomes.size} outcomes, slowest ${Math.round(slowestMs)} ms of processor time, ${faults.length} faults`,
    );
  }
  const faults = all.flatMap((fuzzed) => fuzzed.faults);
  const runs = all.reduce((sum, fuzzed) => sum + fuzzed.runs, 0);
  console.log(
    JSON.stringify({
      bench: 'fuzz',
      passed: faults.length === 0,
      minutes,
      targets: all.length,
      runs,
      faults,
    }),
  );
  if (faults.length > 0) process.exitCode = 1;
}

async function turn(fuzzed: Fuzzed, end: number): Promise<void> {
  const until = Math.min(end, performance.now() + TURN_MS);
  while (performance.now() < until) {
    for (const bytes of fc.sample(mutated(fuzzed.pool), RUNS_A_SAMPLE)) await tryOut(fuzzed, bytes);
  }
}

async function tryOut(fuzzed: Fuzzed, bytes: Buffer): Promise<void> {
  const before = process.cpuUsage();
  fuzzed.runs += 1;
  try {
    const outcome = await fuzzed.target(Buffer.from(bytes));
    if (!fuzzed.outcomes.has(outcome)) {
      fuzzed.outcomes.add(outcome);
      fuzzed.pool.push(bytes);
      if (fuzzed.pool.length > MAX_POOL) fuzzed.pool.shift();
    }
  } catch (error) {
    found(fuzzed, bytes, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  // On a busy machine anything can take a second by the clock.
  const { user, system } = process.cpuUsage(before);
  const tookMs = (user + system) / 1000;
  if (tookMs > SLOW_MS) found(fuzzed, bytes, `took ${Math.round(tookMs)} ms`);
  fuzzed.slowestMs = Math.max(fuzzed.slowestMs, tookMs);
}

/** The same fault is found again and again; it is kept once. */
function found(fuzzed: Fuzzed, bytes: Buffer, reason: string): void {
  const summary = `${fuzzed.name}: ${reason.split('\n').slice(0, 3).join(' ').slice(0, 300)}`;
  if (fuzzed.faults.includes(summary)) return;
  fuzzed.faults.push(summary);
  console.log(`${summary}\n  ${keepCrasher(fuzzed.name, bytes)}`);
}

/** An input of the pool, sometimes with the tail of another one, with a few places changed. */
function mutated(pool: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const input = fc.constantFrom(...pool);
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const change = fc.record({
    how: fc.constantFrom('set', 'insert', 'cut', 'repeat', 'flip'),
    at: share,
    content: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 16 }),
      fc
        .constantFrom(
          '"',
          '{',
          '}',
          '[',
          ']',
          ':',
          '\\',
          '\0',
          '\n',
          '*',
          '(',
          ' OR ',
          '/',
          '\u{1F600}',
          '9'.repeat(30),
        )
        .map((text) => Buffer.from(text)),
    ),
  });
  return fc
    .record({ input, other: fc.option(input), cut: share, changes: fc.array(change, { maxLength: 6 }) })
    .map(({ input: first, other, cut, changes }) => {
      let bytes = other === null ? first : Buffer.concat([upTo(first, cut), upFrom(other, cut)]);
      for (const { how, at, content } of changes) {
        const [head, tail] = [upTo(bytes, at), upFrom(bytes, at)];
        if (how === 'set') bytes = Buffer.concat([head, content, tail.subarray(content.length)]);
        else if (how === 'insert') bytes = Buffer.concat([head, content, tail]);
        else if (how === 'cut') bytes = Buffer.concat([head, tail.subarray(content.length)]);
        else if (how === 'repeat') bytes = Buffer.concat([head, ...Array<Buffer>(content.length).fill(tail)]);
        else
          bytes = Buffer.concat([head, Buffer.from([(tail[0] ?? 0) ^ (content[0] ?? 1)]), tail.subarray(1)]);
      }
      return bytes.subarray(0, MAX_BYTES);
    });
}

const upTo = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));
const upFrom = (bytes: Buffer, share: number) => bytes.subarray(Math.floor(bytes.length * share));
