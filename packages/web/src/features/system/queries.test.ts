import { expect, test } from 'vitest';
import { jobsOf } from './queries.ts';

const job = (id: string, started_at: string) => ({
  id,
  name: 'x',
  description: '',
  info: '',
  node_id: 'a',
  started_at,
  percent_complete: 0,
  is_cancelable: false,
  provides_progress: false,
  job_status: 'running' as const,
});

test('jobs of all nodes are one list, the newest first; silent nodes are counted', () => {
  const { jobs, silent } = jobsOf({
    a: { jobs: [job('1', '2026-01-01T00:00:00.000Z')] },
    b: { jobs: [job('2', '2026-01-02T00:00:00.000Z')] },
    c: null,
  });
  expect(jobs.map(({ id }) => id)).toEqual(['2', '1']);
  expect(silent).toBe(1);
});
