import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createPeriodicJob, type PeriodicJobDeps } from './periodic-job.ts';
import { UnavailableError } from './service-errors.ts';

function create(deps: Pick<PeriodicJobDeps, 'run'> & Partial<PeriodicJobDeps>, jitter = 0) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const write = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`);
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn') };
  const job = createPeriodicJob(
    { logger, timers: clock, ...deps },
    { name: 'index rotation', intervalMs: 1000, jitter },
  );
  /** Lets an interval pass and the turns in progress end. */
  const next = async () => {
    clock.advance(1000);
    await new Promise(setImmediate);
  };
  return { clock, lines, job, next };
}

test('a job runs once per interval between start and stop', async () => {
  let turns = 0;
  const { job, next } = create({ run: () => void turns++ });
  await next();
  expect(turns).toBe(0);
  job.start();
  job.start();
  await next();
  await next();
  expect(turns).toBe(2);
  await job.stop();
  await next();
  expect(turns).toBe(2);
});

test('a job that was stopped does not start any more', async () => {
  let turns = 0;
  const { job, clock } = create({ run: () => void turns++ });
  await job.stop();
  job.start();
  clock.advance(5000);
  expect([turns, clock.waiting]).toEqual([0, 0]);
});

test('turns never overlap, and stop awaits the one in progress', async () => {
  const entered: PromiseWithResolvers<void>[] = [];
  const { job, next } = create({
    run: () => {
      const turn = Promise.withResolvers<void>();
      entered.push(turn);
      return turn.promise;
    },
  });
  job.start();
  await next();
  await next();
  expect(entered.length).toBe(1);
  entered[0]?.resolve();
  await new Promise(setImmediate);
  await next();
  expect(entered.length).toBe(2);

  let hasStopped = false;
  const stopped = job.stop().then(() => {
    hasStopped = true;
  });
  await new Promise(setImmediate);
  expect(hasStopped).toBe(false);
  entered[1]?.resolve();
  await stopped;
  await next();
  expect(entered.length).toBe(2);
});

test('a turn on request runs after the one in progress', async () => {
  const order: string[] = [];
  let turn = 0;
  const { job } = create({
    run: async () => {
      const number = ++turn;
      order.push(`begin ${number}`);
      await new Promise(setImmediate);
      order.push(`end ${number}`);
    },
  });
  await Promise.all([job.runNow(), job.runNow()]);
  expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('failures in a row are warned of once, and the recovery is told', async () => {
  let fault: unknown = new Error('disk full');
  const { job, next, lines } = create({
    run: () => {
      if (fault !== undefined) throw fault;
    },
  });
  job.start();
  await next();
  await next();
  fault = undefined;
  await next();
  await next();
  expect(lines).toEqual([
    'warn: index rotation failed; it will be tried again',
    'debug: index rotation failed; it will be tried again',
    'info: index rotation works again',
  ]);
});

test('a part that is still starting is nothing to warn of', async () => {
  const { job, lines } = create({ run: () => Promise.reject(new UnavailableError('starting', 2)) });
  await job.runNow();
  expect(lines).toEqual(['debug: index rotation failed; it will be tried again']);
});

test('a job for the leader runs only while its node leads', async () => {
  let turns = 0;
  let isLeader = false;
  const { job, next } = create({ run: () => void turns++, isLeader: () => isLeader });
  job.start();
  await next();
  expect(turns).toBe(0);
  isLeader = true;
  await next();
  expect(turns).toBe(1);
});

test('jitter shortens the pauses', async () => {
  let turns = 0;
  const { job, clock } = create({ run: () => void turns++, random: () => 0.5 }, 0.2);
  job.start();
  clock.advance(899);
  await new Promise(setImmediate);
  expect(turns).toBe(0);
  clock.advance(1);
  await new Promise(setImmediate);
  expect(turns).toBe(1);
});
