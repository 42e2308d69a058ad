import { describe, expect, test } from 'vitest';
import { ManualClock } from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { createJobs, type JobDefinition, type JobProgress, type Jobs } from './jobs.ts';

function create(keepEnded?: number): { jobs: Jobs; lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } });
  const clock = new ManualClock(1000);
  const config = keepEnded === undefined ? { nodeId: 'n1' } : { nodeId: 'n1', keepEnded };
  return { jobs: createJobs({ clock, logger }, config), lines };
}

/** A job that runs until it is let go, and gives its progress out. */
function controlled(options: Partial<JobDefinition> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let given: JobProgress | undefined;
  const definition: JobDefinition = {
    name: 'delete-index',
    description: 'Deletes an index',
    run(progress) {
      given = progress;
      progress.signal.addEventListener('abort', () => resolve());
      return promise;
    },
    ...options,
  };
  return { definition, progress: () => given!, resolve, reject };
}

async function ended(jobs: Jobs, id: string): Promise<void> {
  while (jobs.find(id)?.state === 'running') await new Promise(setImmediate);
}

test('a job is listed while it runs, with what it tells about itself', async () => {
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
  await ended(jobs, id);
  expect(jobs.list()).toEqual([]);
  expect(jobs.find(id)).toMatchObject({ state: 'complete', percentComplete: 100 });
});

test('a failing job is logged and shows why, and throws nowhere', async () => {
  const { jobs, lines } = create();
  const job = controlled();
  const id = jobs.start(job.definition);
  job.reject(new Error('disk on fire'));
  await ended(jobs, id);
  expect(jobs.find(id)).toMatchObject({ state: 'error', info: 'disk on fire' });
  expect(lines.join('')).toContain('disk on fire');
  const sync = jobs.start({
    ...job.definition,
    run: () => {
      throw new Error('at once');
    },
  });
  await ended(jobs, sync);
  expect(jobs.find(sync)).toMatchObject({ state: 'error', info: 'at once' });
});

describe('cancel', () => {
  test('ends a job that allows it', async () => {
    const { jobs } = create();
    const id = jobs.start(controlled({ isCancelable: true }).definition);
    expect(jobs.cancel(id)).toBe('cancelling');
    await ended(jobs, id);
    expect(jobs.find(id)).toMatchObject({ state: 'cancelled' });
    expect(jobs.cancel(id)).toBe('not-cancelable');
  });

  test('refuses others and knows no strangers', () => {
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
    await ended(jobs, id);
    expect(jobs.find(id)?.state).toBe('cancelled');
    expect(lines).toEqual([]);
  });
});

test('ended jobs are forgotten, oldest first', async () => {
  const { jobs } = create(2);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    const id = jobs.start({ name: 'x', description: 'x', run: async () => {} });
    await ended(jobs, id);
    ids.push(id);
  }
  expect(ids.map((id) => jobs.find(id)?.state)).toEqual([undefined, 'complete', 'complete']);
});

test('offered jobs start by name', () => {
  const { jobs } = create();
  jobs.offer('rebuild', () => controlled({ name: 'rebuild' }).definition);
  expect(jobs.offeredNames()).toEqual(['rebuild']);
  const id = jobs.startByName('rebuild');
  expect(jobs.list()).toMatchObject([{ id, name: 'rebuild' }]);
  expect(jobs.startByName('something')).toBeUndefined();
});

test('stop aborts all, cancelable or not, and waits for them', async () => {
  const { jobs } = create();
  const id = jobs.start(controlled().definition);
  await jobs.stop();
  expect(jobs.list()).toEqual([]);
  expect(jobs.find(id)?.state).toBe('cancelled');
});
