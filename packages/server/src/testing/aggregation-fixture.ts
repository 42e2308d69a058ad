import { afterAll, beforeAll } from 'vitest';
import { messages } from './aggregation-samples.ts';
import { useTestClickHouse } from './clickhouse.ts';
import { createSearchFixture, type SearchFixture, type SearchFixtureOptions } from './search-fixture.ts';

/** A search fixture with the samples in it, in several parts; only in `*.int.test.ts`. */
export function useStoredSamples(routes?: SearchFixtureOptions['routes']): () => SearchFixture {
  const server = useTestClickHouse();
  let fixture: SearchFixture | undefined;
  beforeAll(async () => {
    // The machine that runs this may be busy with other tests.
    fixture = await createSearchFixture(server(), { limits: { timeoutMs: 0 }, ...(routes && { routes }) });
    const half = messages.length / 2;
    await fixture.store(messages.slice(0, half));
    await fixture.store(messages.slice(half));
  });
  afterAll(() => fixture?.close());
  return () => {
    if (fixture === undefined) throw new Error('the samples are there only while tests run');
    return fixture;
  };
}
