import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import type { SimulationSettings } from '#processing/simulation/index.ts';
import { NO_PIPELINES } from '#streams/index.ts';
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

/** A simulation of a rule that looks into a table of another server. */
async function lookedUp(settings: Pick<SimulationSettings, 'asksServers'>) {
  const asked: string[] = [];
  const table = {
    name: 'hosts',
    sourceId: '1',
    fallback: { single: 'nobody', multi: null },
    cache: { maxEntries: 10, afterAccessMs: 1e9, afterWriteMs: 1e9, emptyAfterWriteMs: 1e9 },
  };
  const threads = threadsWith({
    lookup: {
      snapshot: () => ({
        tables: [table],
        sources: new Map([['1', { kind: 'remote', usesExpired: true, isWritable: false }]]),
      }),
      serve({ keys }, reply) {
        asked.push(...keys.map(({ key }) => key));
        reply(
          keys.map((key) => ({
            ...key,
            fetched: { answer: { single: `next-${key.key}`, multi: null } },
            isChange: false,
          })),
        );
      },
    },
  });
  const snapshot = processingSnapshot({
    pipelines: {
      ...NO_PIPELINES,
      rules: [
        {
          id: 'r',
          name: 'owner',
          source:
            'rule "owner" when true then set_field("owner", lookup_value("hosts", lookup_value("hosts", "a"))); end',
          faultSlot: 0,
        },
      ],
      pipelines: [{ id: 'p', name: 'p', source: 'pipeline "p" stage 0 match either rule "owner" end' }],
      connections: [{ streamId: DEFAULT_STREAM_ID, pipelineIds: ['p'] }],
    },
  });
  const simulation = await threads.open({ ...SETTINGS, ...settings, snapshot });
  const { outcomes, tablesLeftOut } = await simulation.run([{ ...MESSAGE, streamIds: [DEFAULT_STREAM_ID] }]);
  simulation.close();
  return { owner: outcomes[0]?.messages[0]?.fields.get('owner'), asked, tablesLeftOut };
}

test('a simulation waits for answers of remote lookup tables', async () => {
  expect(await lookedUp({})).toEqual({
    owner: 'next-next-a',
    asked: ['a', 'nobody', 'next-a'],
    tablesLeftOut: [],
  });
});

test('a simulation that asks no server names the lookup tables that it leaves out', async () => {
  expect(await lookedUp({ asksServers: false })).toEqual({
    owner: 'nobody',
    asked: [],
    tablesLeftOut: ['hosts'],
  });
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
