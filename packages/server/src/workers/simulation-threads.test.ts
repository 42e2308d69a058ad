import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '#telemetry/index.ts';
import { eventually } from '#testing/eventually.ts';
import { processingSnapshot } from '#testing/processing-snapshot.ts';
import { createSimulationThreads, type SimulationThreadsSettings } from './simulation-threads.ts';

const logger = createLogger({ level: 'fatal', pretty: false });
const SETTINGS = {
  snapshot: processingSnapshot({}),
  isDetailed: true,
  limits: { textCharacters: 100, messages: 10 },
};
const MESSAGE = { id: 'a', timestamp: 0, receivedAt: 0, streamIds: [], fields: new Map() };

function threadsWith(settings: Partial<SimulationThreadsSettings> = {}) {
  const threads = createSimulationThreads({ logger, ...settings });
  onTestFinished(() => threads.stop());
  return threads;
}

test('a simulation gets a thread that runs, also when one that waited is being ended', async () => {
  const threads = threadsWith({ idleMs: 0 });
  const ending = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(() => ending.mockRestore());
  for (let time = 1; time <= 2; time++) {
    const simulation = await threads.open(SETTINGS);
    expect((await simulation.run([MESSAGE])).outcomes).toHaveLength(1);
    simulation.close();
    await eventually(() => expect(ending).toHaveBeenCalledTimes(time));
  }
});

test('a thread that ends before it is asked answers at once that it has ended', async () => {
  const threads = threadsWith();
  const simulation = await threads.open(SETTINGS);
  await threads.stop();
  await expect(simulation.run([MESSAGE])).rejects.toThrow('The simulation ended early');
  simulation.close();
});

test('who leaves while waiting takes no turn', async () => {
  const threads = threadsWith();
  const running = await Promise.all([threads.open(SETTINGS), threads.open(SETTINGS)]);
  const leaving = new AbortController();
  const left = threads.open(SETTINGS, leaving.signal);
  const next = threads.open(SETTINGS);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  running[0].close();
  const simulation = await next;
  expect((await simulation.run([MESSAGE])).outcomes).toHaveLength(1);
  simulation.close();
  running[1].close();
});

test('a thread that cannot start says why in the log', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const threads = threadsWith({
    logger: { warn: (...said: unknown[]) => resolve(said) },
    // Not what a node assigns.
    plugins: { plugins: [{}] } as unknown as NonNullable<SimulationThreadsSettings['plugins']>,
  });
  const simulation = await threads.open(SETTINGS);
  await expect(simulation.run([MESSAGE])).rejects.toThrow('The simulation ended early');
  simulation.close();
  expect(await promise).toEqual([
    { reason: expect.any(String) },
    'a thread for simulations of pipelines has failed',
  ]);
});
