import assert from 'node:assert/strict';
import { type ComponentIdentity, componentPrefix, type Metrics } from '#telemetry/index.ts';

interface Amount {
  readonly events: number;
  /** Left out: any number of bytes will do. */
  readonly bytes?: number;
}

/** What a component must have counted. What is not named must be zero or absent. */
export interface ExpectedTelemetry {
  readonly received?: Amount;
  readonly sent?: Amount;
  readonly dropped?: Readonly<Record<string, Amount>>;
  /** Keys are `error_type.stage`. */
  readonly errors?: Readonly<Record<string, number>>;
}

/**
 * Asserts that a component reported its work by the standard events, no more and no less. Run it at the
 * end of every component's tests: telemetry is a part of the component's contract.
 */
export function assertComponentTelemetry(
  metrics: Metrics,
  component: ComponentIdentity,
  expected: ExpectedTelemetry,
): void {
  const prefix = componentPrefix(component);
  const counts = new Map<string, number>();
  for (const record of metrics.byPrefix(prefix)) {
    assert.equal(record.type, 'counter', `${record.full_name} must be a counter`);
    assert.ok('count' in record.metric);
    counts.set(record.full_name.slice(prefix.length + 1), record.metric.count);
  }
  for (const event of ['received.events', 'received.bytes', 'sent.events', 'sent.bytes']) {
    assert.ok(counts.has(event), `${prefix} does not count ${event}; it counts ${[...counts.keys()]}`);
  }

  const wanted = new Map<string, number>();
  const expect = (path: string, amount: Amount | undefined): void => {
    wanted.set(`${path}.events`, amount?.events ?? 0);
    if (amount?.bytes !== undefined) wanted.set(`${path}.bytes`, amount.bytes);
    else if (amount !== undefined) counts.delete(`${path}.bytes`);
  };
  expect('received', expected.received);
  expect('sent', expected.sent);
  for (const [reason, amount] of Object.entries(expected.dropped ?? {})) expect(`dropped.${reason}`, amount);
  for (const [error, count] of Object.entries(expected.errors ?? {})) wanted.set(`errors.${error}`, count);

  assert.deepEqual(withoutZeros(counts), withoutZeros(wanted), `${prefix} counted something else`);
}

function withoutZeros(counts: ReadonlyMap<string, number>): Record<string, number> {
  const sorted = [...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted);
}
