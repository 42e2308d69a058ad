import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ConflictError, systemClock } from '#core/index.ts';
import type { PreparedSearch, RunOptions, Searches } from '../execution/index.ts';
import { createSqlParameters } from '../query/index.ts';
import { createExportJobs } from './export-jobs.ts';
import { createExports, type ExportRequest } from './exports.ts';

const principal = { userId: '1', username: 'alice', can: () => true };
const request: ExportRequest = {
  query: 'rare',
  range: { type: 'relative', range: 60 },
  format: 'ndjson',
  fields: ['message'],
};

/** An engine that finds some messages, and then searches for as long as it may. */
function openJobs(found: number) {
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* text(_search: PreparedSearch, _sql: string, { signal }: RunOptions) {
    try {
      for (let line = 0; line < found; line++) yield Buffer.from('{}\n');
      const aborted = signal && once(signal, 'abort');
      asked.resolve();
      await aborted;
      throw signal?.reason;
    } finally {
      ended.resolve();
    }
  }
  const prepared = { parameters: createSqlParameters(), source: () => 'messages' };
  const searches = {
    prepare: async () => prepared as unknown as PreparedSearch,
    text,
  } as unknown as Searches;
  const exports = createExports({ searches }, { timeoutMs: 3_600_000 });
  const jobs = createExportJobs({ exports, count: async () => 9, clock: systemClock });
  return { jobs, asked: asked.promise, ended: ended.promise };
}

test('a download that is cancelled while the engine still searches stops the search', async () => {
  const { jobs, asked, ended } = openJobs(1);
  const { id } = await jobs.create(principal, request);
  const { file } = await jobs.open(principal, id);
  const failed = once(file, 'error');
  file.resume();
  await asked;
  jobs.remove(principal, id);
  await ended;
  expect((await failed)[0].message).toBe('The export was cancelled.');
});

test('a download that is cancelled before anything is found is told so', async () => {
  const { jobs, asked } = openJobs(0);
  const { id } = await jobs.create(principal, request);
  const opening = jobs.open(principal, id).catch((error) => error);
  await asked;
  jobs.remove(principal, id);
  expect(await opening).toBeInstanceOf(ConflictError);
});
