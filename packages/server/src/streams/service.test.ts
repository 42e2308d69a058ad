import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CODECS } from '#codecs/index.ts';
import { monotonicClock } from '#core/index.ts';
import { createProcessor, type Processor } from '#processing/processor.ts';
import { createMetrics } from '#telemetry/index.ts';
import { eventually } from '#testing/eventually.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { createStreamsFixture, OTHER_INDEX_SET_ID, type StreamsFixture } from '#testing/streams-fixture.ts';

let fixture: StreamsFixture;
beforeEach(async () => {
  fixture = await createStreamsFixture({ streamTimeoutMs: 10 });
});
afterEach(() => fixture.close());

const call: StreamsFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });

async function runningStream(rule: object, title = 'Slow'): Promise<string> {
  const { body } = await call('POST', '/streams', { body: { title, rules: [rule] } });
  await call('POST', `/streams/${body.stream_id}/resume`);
  return body.stream_id;
}

/** Like a worker: gets copies of the snapshots, as another thread would, and reports its faults. */
function worker(number: number): Processor {
  const processor = createProcessor(
    {
      metrics: createMetrics(),
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: (fault) => fixture.processing.faultReported(fault),
    },
    { partition: `node-1/${number}` },
  );
  fixture.processing.onSnapshot((snapshot) => processor.useSnapshot(structuredClone(snapshot)));
  return processor;
}

const poison = { frame: { version: '1.1', host: 'h', short_message: `${'a'.repeat(60)}!`, _app: 'shop' } };
const evil = { type: 2, field: 'message', value: '^(a+)+$' };
const streamsOf = (processor: Processor, count = 1) =>
  processor
    .process(recordBatch(Array.from({ length: count }, () => poison)))
    .messages.map(({ streams }) => streams);
const stateOf = async (id: string) => (await call('GET', `/streams/${id}`)).body;
const disabledNotifications = async () =>
  (await fixture.notifications.list()).filter(({ type }) => type === 'stream_processing_disabled');

async function untilDisabled(id: string): Promise<void> {
  await eventually(async () => expect((await stateOf(id)).state).toBe('disabled'));
}

describe('faults', () => {
  test('a stream with as many faults as allowed keeps running', async () => {
    const id = await runningStream(evil);
    const processor = worker(0);
    streamsOf(processor, 3);
    await fixture.processing.refresh();
    expect(await stateOf(id)).toMatchObject({ state: 'running', disabled: false });
    expect(await disabledNotifications()).toEqual([]);
  });

  test('one more disables it, with a reason and an urgent notification; other streams keep running', async () => {
    const id = await runningStream(evil, 'Evil');
    const good = await runningStream({ type: 1, field: 'app', value: 'shop' }, 'Good');
    const processor = worker(0);
    const streams = streamsOf(processor, 10);
    expect(streams.every((ids) => ids.includes(good) && !ids.includes(id))).toBe(true);
    await untilDisabled(id);
    expect(await stateOf(id)).toMatchObject({
      disabled: true,
      state: 'disabled',
      state_reason: expect.stringContaining('longer than 10 ms on 4 messages'),
    });
    expect(await disabledNotifications()).toMatchObject([
      {
        key: id,
        severity: 'urgent',
        details: { stream_id: id, stream_title: 'Evil', fault_count: 4 },
      },
    ]);
    await eventually(() =>
      expect(fixture.processing.snapshot()?.streams.map((one) => one.id)).toEqual([good]),
    );
    expect(await stateOf(good)).toMatchObject({ state: 'running' });
  });

  test('are counted across all workers of the node', async () => {
    const id = await runningStream(evil);
    const [one, two] = [worker(0), worker(1)];
    streamsOf(one, 2);
    streamsOf(two, 1);
    await fixture.processing.refresh();
    expect(await stateOf(id)).toMatchObject({ state: 'running' });
    streamsOf(two, 1);
    await untilDisabled(id);
  });

  test('only a resume enables the stream again, with no faults', async () => {
    const id = await runningStream(evil);
    const processor = worker(0);
    streamsOf(processor, 4);
    await untilDisabled(id);
    await call('PUT', `/streams/${id}`, { body: { title: 'Other' } });
    const { body } = await call('GET', `/streams/${id}/rules`);
    const rule = body.stream_rules[0].id;
    await call('PUT', `/streams/${id}/rules/${rule}`, { body: { type: 2, field: 'message', value: 'a' } });
    expect(await stateOf(id)).toMatchObject({ state: 'disabled' });
    expect(streamsOf(processor)[0]).not.toContain(id);

    expect((await call('POST', `/streams/${id}/resume`)).status).toBe(204);
    expect(await stateOf(id)).toMatchObject({ state: 'running', disabled: false, state_reason: null });
    expect(await disabledNotifications()).toEqual([]);
    expect(streamsOf(processor)[0]).toContain(id);

    await call('PUT', `/streams/${id}/rules/${rule}`, { body: evil });
    streamsOf(processor, 3);
    await fixture.processing.refresh();
    expect(await stateOf(id)).toMatchObject({ state: 'running' });
  });

  test('a disabled stream can be paused, and a pause is not a reason', async () => {
    const id = await runningStream(evil);
    streamsOf(worker(0), 4);
    await untilDisabled(id);
    await call('POST', `/streams/${id}/pause`);
    expect(await stateOf(id)).toMatchObject({ state: 'paused', state_reason: null });
  });
});

describe('snapshots', () => {
  test('carry inputs with their static fields, source and configuration', async () => {
    const { inputs } = fixture.metadata.repositories;
    const { id } = await inputs.insert({
      title: 'GELF',
      type: 'gelf-udp',
      global: true,
      nodeId: null,
      configuration: { override_source: 'gateway', port: 1 },
      creator: 'admin',
      contentPack: null,
      desiredState: 'running',
    });
    await inputs.setStaticField(id, 'site', 'north');
    await fixture.processing.refresh();
    expect(fixture.processing.snapshot()?.inputs).toEqual([
      {
        id,
        staticFields: { site: 'north' },
        overrideSource: 'gateway',
        configuration: { override_source: 'gateway', port: 1 },
      },
    ]);
  });

  test('follow changes by other nodes and by other parts of this node', async () => {
    const { streams } = fixture.metadata.repositories;
    const id = await runningStream({ type: 7 });
    await streams.setState(id, 'paused', null);
    await eventually(() => expect(fixture.processing.snapshot()?.streams).toEqual([]));
  });

  test('take no queries while nothing is written', async () => {
    const { streams, clusterSettings } = fixture.metadata.repositories;
    await fixture.processing.refresh();
    const asked = vi.spyOn(streams, 'revision');
    const looked = vi.spyOn(fixture.metadata, 'version');
    await eventually(() => expect(looked.mock.calls.length).toBeGreaterThan(1));
    expect(asked).not.toHaveBeenCalled();
    await clusterSettings.set('something', 1);
    await eventually(() => expect(asked).toHaveBeenCalled());
  });

  test('are published only when something has changed, and listeners can unsubscribe', async () => {
    const seen: number[] = [];
    const leave = fixture.processing.onSnapshot(({ version }) => seen.push(version));
    await fixture.processing.refresh();
    expect(seen).toHaveLength(1);
    const id = await runningStream({ type: 7 });
    expect(seen.length).toBeGreaterThan(1);
    leave();
    const count = seen.length;
    await call('POST', `/streams/${id}/pause`);
    expect(seen).toHaveLength(count);
  });

  test('leave out a stream whose index set is being deleted', async () => {
    const { indexSets } = fixture.metadata.repositories;
    const other = OTHER_INDEX_SET_ID;
    const { body } = await call('POST', '/streams', {
      body: { title: 'x', rules: [{ type: 7 }], index_set_id: other },
    });
    await call('POST', `/streams/${body.stream_id}/resume`);
    expect(fixture.processing.snapshot()?.streams).toHaveLength(1);
    await indexSets.markDeleting(other);
    await fixture.processing.refresh();
    expect(fixture.processing.snapshot()?.streams).toEqual([]);
  });
});

test('a stream gets no more rules one by one than it can be given at once', async () => {
  const rules = Array.from({ length: 500 }, (_, level) => ({
    type: 1,
    field: 'level',
    value: String(level),
  }));
  const { stream_id: id } = (await call('POST', '/streams', { body: { title: 'Many', rules } })).body;
  const refused = await call('POST', `/streams/${id}/rules`, { body: evil });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('at most 500 rules')]);
  const [first] = (await call('GET', `/streams/${id}/rules`)).body.stream_rules;
  await call('DELETE', `/streams/${id}/rules/${first.id}`);
  expect((await call('POST', `/streams/${id}/rules`, { body: evil })).status).toBe(201);
});
