import { describe, expect, test } from 'vitest';
import { createLogger } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { createJobs, type JobDefinition, type JobProgress, type Jobs } from './jobs.ts';

function create(keepEnded?: number): { jobs: Jobs; lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } });
  const clock = new ManualClock(1000);
  const settings = keepEnded === undefined ? { nodeId: 'n1' } : { nodeId: 'n1', keepEnded };
  return { jobs: createJobs({ clock, logger }, settings), lines };
}

/** A job that runs until it is resolved or rejected, and exposes its progress. */
function controlled(options: Partial<JobDefinition> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let progressOfRun: JobProgress | undefined;
  const definition: JobDefinition = {
    name: 'delete-index',
    description: 'Deletes an index',
    run(progress) {
      progressOfRun = progress;
      progress.signal.addEventListener('abort', () => resolve());
      return promise;
    },
    ...options,
  };
  return { definition, progress: () => progressOfRun!, resolve, reject };
}

async function untilEnded(jobs: Jobs, id: string): Promise<void> {
  while (jobs.find(id)?.state === 'running') await new Promise(setImmediate);
}

test('a job is listed with its progress while it runs', async () => {
  const { jobs } = create();
  const job = controlled({ info: 'waiting', providesProgress: true });
  const id = jobs.start(job.definition);
  expect(jobs.list()).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'delete-index',
      description: 'Deletes an index',
      info: 'waiting',
      nodeId: 'n1',
      startedAt: 1000,
      percentComplete: 0,
      isCancelable: false,
      providesProgress: true,
      state: 'running',
    },
  ]);
  job.progress().percent(41.7);
  job.progress().info('half way');
  expect(jobs.find(id)).toMatchObject({ percentComplete: 41, info: 'half way' });
  job.progress().percent(400);
  expect(jobs.find(id)).toMatchObject({ percentComplete: 100 });
  job.resolve();
  await untilEnded(jobs, id);
  expect(jobs.list()).toEqual([]);
  expect(jobs.find(id)).toMatchObject({ state: 'complete', percentComplete: 100 });
});

test('a failing job is logged and shows the reason; nothing throws', async () => {
  const { jobs, lines } = create();
  const job = controlled();
  const id = jobs.start(job.definition);
  job.reject(new Error('disk on fire'));
  await untilEnded(jobs, id);
  expect(jobs.find(id)).toMatchObject({ state: 'error', info: 'disk on fire' });
  expect(lines.join('')).toContain('disk on fire');
  const sync = jobs.start({
    ...job.definition,
    run: () => {
      throw new Error('synchronous');
    },
  });
  await untilEnded(jobs, sync);
  expect(jobs.find(sync)).toMatchObject({ state: 'error', info: 'synchronous' });
});

describe('cancel', () => {
  test('ends a job that allows it', async () => {
    const { jobs } = create();
    const id = jobs.start(controlled({ isCancelable: true }).definition);
    expect(jobs.cancel(id)).toBe('cancelling');
    await untilEnded(jobs, id);
    expect(jobs.find(id)).toMatchObject({ state: 'cancelled' });
    expect(jobs.cancel(id)).toBe('not-cancelable');
  });

  test('refuses jobs that are not cancelable or not known', () => {
    const { jobs } = create();
    expect(jobs.cancel(jobs.start(controlled().definition))).toBe('not-cancelable');
    expect(jobs.cancel('nobody')).toBe('unknown');
  });

  test('an error after cancelling counts as cancelled', async () => {
    const { jobs, lines } = create();
    const job = controlled({
      isCancelable: true,
      run: ({ signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const id = jobs.start(job.definition);
    jobs.cancel(id);
    await untilEnded(jobs, id);
    expect(jobs.find(id)?.state).toBe('cancelled');
    expect(lines).toEqual([]);
  });
});

test('only the newest ended jobs are kept', async () => {
  const { jobs } = create(2);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    const id = jobs.start({ name: 'x', description: 'x', run: async () => {} });
    await untilEnded(jobs, id);
    ids.push(id);
  }
  expect(ids.map((id) => jobs.find(id)?.state)).toEqual([undefined, 'complete', 'complete']);
});

test('offered jobs can be started by name', () => {
  const { jobs } = create();
  jobs.offer('rebuild', () => controlled({ name: 'rebuild' }).definition);
  expect(jobs.offeredNames()).toEqual(['rebuild']);
  const id = jobs.startByName('rebuild');
  expect(jobs.list()).toMatchObject([{ id, name: 'rebuild' }]);
  expect(jobs.startByName('something')).toBeUndefined();
});

test('stop aborts all jobs, cancelable or not, and waits for them', async () => {
  const { jobs } = create();
  const id = jobs.start(controlled().definition);
  await jobs.stop();
  expect(jobs.list()).toEqual([]);
  expect(jobs.find(id)?.state).toBe('cancelled');
});
