import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CODECS } from '#codecs/index.ts';
import { monotonicClock } from '#core/index.ts';
import { createProcessor } from '#processing/index.ts';
import { INPUT } from '#testing/extractor-samples.ts';
import { FIXTURE_SOURCE } from '#testing/message-fixture.ts';
import { recordBatch } from '#testing/record-batch.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import { createStreamsFixture, type StreamsFixture } from '#testing/streams-fixture.ts';

let fixture: StreamsFixture;
let inputId: string;
beforeEach(async () => {
  fixture = await createStreamsFixture();
  inputId = (await fixture.metadata.repositories.inputs.insert(INPUT)).id;
});
afterEach(() => fixture.close());

const UNKNOWN = 'cccccccccccccccccccccccc';
const EXPORT = JSON.parse(
  fs.readFileSync(new URL('../../processing/extractors/corpus/export.json', import.meta.url), 'utf8'),
);
const call: StreamsFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });
const extractors = (suffix = '', id = inputId) => `/system/inputs/${id}/extractors${suffix}`;

const STATUS = {
  title: 'Status',
  cut_or_copy: 'copy',
  source_field: 'message',
  target_field: 'status',
  extractor_type: 'regex',
  extractor_config: { regex_value: 'status=(\\d+)' },
  converters: { numeric: {} },
  condition_type: 'string',
  condition_value: 'status',
  order: 3,
};

async function create(body: object = STATUS): Promise<string> {
  const { status, body: answer, text } = await call('POST', extractors(), { body });
  if (status !== 201) throw new Error(text);
  return answer.extractor_id;
}

/** What the workers would make of a message of the input now. */
function processed(message: string, fields: object = {}) {
  const deps = { metrics: fixture.metrics, monotonic: monotonicClock, codecs: CODECS, faulted: () => {} };
  const processor = createProcessor(deps, { partition: 'node-1/0' });
  const snapshot = fixture.processing.snapshot();
  if (snapshot === undefined) throw new Error('there is no snapshot');
  processor.useSnapshot(snapshot);
  const frame = { version: '1.1', host: 'web-1', short_message: message, ...fields };
  const [found] = processor.process(
    recordBatch([{ frame, source: { ...FIXTURE_SOURCE, inputId } }]),
  ).messages;
  return found;
}

checkRoutes(() => ({ routes: fixture.extractorRoutes, ...servedBy(fixture.auth) }), { runsPerOperation: 10 });

describe('extractors of an input', () => {
  test('are created, listed, read, changed and deleted', async () => {
    const created = await call('POST', extractors(), { body: STATUS });
    expect([created.status, created.body]).toEqual([
      201,
      { extractor_id: expect.stringMatching(/^\w{24}$/) },
    ]);
    const id = created.body.extractor_id;
    const shown = {
      id,
      title: 'Status',
      type: 'regex',
      cursor_strategy: 'copy',
      source_field: 'message',
      target_field: 'status',
      extractor_config: { regex_value: 'status=(\\d+)' },
      creator_user_id: 'admin',
      converters: [{ type: 'numeric', config: {} }],
      condition_type: 'string',
      condition_value: 'status',
      order: 3,
      exceptions: 0,
      converter_exceptions: 0,
      metrics: {
        total: { rate: { total: 0 }, duration_unit: 'microseconds' },
        condition_hits: 0,
        condition_misses: 0,
      },
      disabled_reason: null,
    };
    expect((await call('GET', extractors(`/${id}`))).body).toMatchObject(shown);
    expect((await call('GET', extractors())).body).toMatchObject({ total: 1, extractors: [shown] });
    const changed = await call('PUT', extractors(`/${id}`), {
      body: { ...STATUS, title: 'Code', cut_or_copy: 'CUT', converters: [{ type: 'Hash', config: {} }] },
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { id, title: 'Code', cursor_strategy: 'cut', converters: [{ type: 'hash', config: {} }] },
    ]);
    expect((await call('DELETE', extractors(`/${id}`))).status).toBe(204);
    expect((await call('GET', extractors())).body).toEqual({ total: 0, extractors: [] });
    const { items } = await fixture.metadata.repositories.auditLog.listPage(
      { objectType: 'extractor' },
      { limit: 10, offset: 0 },
    );
    expect(items.map(({ action }) => action).sort()).toEqual([
      'extractor.create',
      'extractor.delete',
      'extractor.update',
    ]);
  });

  test('are found by text and read in parts, in the order in which they run', async () => {
    for (const [at, title] of ['One', 'Two', 'Three', 'Four'].entries()) {
      await create({ ...STATUS, title, order: at });
    }
    const titles = async (query: string) => {
      const { body } = await call('GET', extractors(`?${query}`));
      return [body.total, body.extractors.map(({ title }: { title: string }) => title)];
    };
    expect(await titles('')).toEqual([4, ['One', 'Two', 'Three', 'Four']]);
    expect(await titles('skip=1&limit=2')).toEqual([4, ['Two', 'Three']]);
    expect(await titles('query=W')).toEqual([1, ['Two']]);
    expect(await titles('query=REGEX')).toEqual([4, ['One', 'Two', 'Three', 'Four']]);
    expect(await titles('query=regular%20expression&skip=1&limit=1')).toEqual([4, ['Two']]);
    expect((await call('GET', extractors('?limit=-1'))).status).toBe(400);
  });

  test('work on the next message, and count what they do', async () => {
    const id = await create();
    expect(processed('status=200')?.getField('status')).toBe(200);
    expect(processed('nothing')?.getField('status')).toBeUndefined();
    const { metrics } = (await call('GET', extractors(`/${id}`))).body;
    expect(metrics).toMatchObject({
      condition_hits: 1,
      condition_misses: 1,
      total: { rate: { total: 2 } },
      converters: { rate: { total: 1 } },
    });
    await call('DELETE', extractors(`/${id}`));
    expect(processed('status=200')?.getField('status')).toBeUndefined();
  });

  test('are put into order', async () => {
    const ids = [await create({ ...STATUS, title: 'a' }), await create({ ...STATUS, title: 'b' })];
    const titles = async () =>
      (await call('GET', extractors())).body.extractors.map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual(['a', 'b']);
    const order = { '0': ids[1], '1': ids[0] };
    expect((await call('POST', extractors('/order'), { body: { order } })).status).toBe(204);
    expect(await titles()).toEqual(['b', 'a']);
    const wrong = await call('POST', extractors('/order'), { body: { order: { '0': UNKNOWN } } });
    expect([wrong.status, wrong.body.message]).toEqual([404, expect.stringContaining(UNKNOWN)]);
  });

  test('an order has no more places, and an extractor no more converters, than there can be', async () => {
    const records = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [place, value]));
    const order = await call('POST', extractors('/order'), { body: { order: records(1001, UNKNOWN) } });
    expect([order.status, order.text]).toEqual([
      400,
      expect.stringContaining('at most 1000 entries, not 1001'),
    ]);
    const converters = await call('POST', extractors(), {
      body: { ...STATUS, converters: records(21, {}) },
    });
    expect([converters.status, converters.text]).toEqual([400, expect.stringContaining('at most 20')]);
  });

  test('an extractor that cannot work is refused, and every problem is named', async () => {
    const { status, body } = await call('POST', extractors(), {
      body: {
        ...STATUS,
        target_field: 'gl2_x',
        extractor_config: { regex_value: '(' },
        converters: { date: {}, wat: {} },
        condition_type: 'regex',
        condition_value: '[',
      },
    });
    expect(status).toBe(400);
    expect(body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      'condition_value',
      'converters.date.date_format',
      'converters.wat',
      'extractor_config.regex_value',
      'target_field',
    ]);
    const type = await call('POST', extractors(), { body: { ...STATUS, extractor_type: 'magic' } });
    expect([type.status, type.body.message]).toEqual([
      400,
      expect.stringContaining('copy_input, grok, json'),
    ]);
  });

  test('of inputs that do not exist, and extractors of another input, are not found', async () => {
    const id = await create();
    const { id: other } = await fixture.metadata.repositories.inputs.insert(INPUT);
    for (const [method, path] of [
      ['GET', extractors('', UNKNOWN)],
      ['GET', extractors('/export', UNKNOWN)],
      ['GET', extractors(`/${id}`, other)],
      ['DELETE', extractors(`/${id}`, other)],
      ['GET', extractors(`/${UNKNOWN}`)],
      ['GET', extractors('', 'a%00b')],
    ] as const) {
      expect([path, (await call(method, path)).status]).toEqual([path, 404]);
    }
    const missing = await call('POST', extractors('', UNKNOWN), { body: STATUS });
    expect([missing.status, missing.body.message]).toEqual([404, `Input ${UNKNOWN} not found!`]);
    expect((await call('GET', extractors())).body.total).toBe(1);
  });

  test('one that is too slow too often is disabled and named; saving it enables it again', async () => {
    const id = await create();
    const { faults, extractors: running } = fixture.processing.snapshot() ?? {};
    const slot = running?.[0]?.faultSlot ?? -1;
    for (let count = 1; count <= 4; count++) {
      Atomics.add(new Int32Array(faults as SharedArrayBuffer), slot, 1);
      fixture.processing.extractorFaultReported({ extractorId: id, count });
    }
    await fixture.processing.stop();
    const { disabled_reason } = (await call('GET', extractors(`/${id}`))).body;
    expect(disabled_reason).toContain('It took longer than 2000 ms on 4 messages');
    expect(fixture.processing.snapshot()?.extractors).toEqual([]);
    const notices = async () =>
      (await fixture.notifications.list()).filter(({ type }) => type === 'extractor_disabled');
    expect(await notices()).toMatchObject([{ key: id, details: { extractor_title: 'Status' } }]);
    const enabled = await call('PUT', extractors(`/${id}`), { body: STATUS });
    expect(enabled.body.disabled_reason).toBeNull();
    expect(fixture.processing.snapshot()?.extractors).toHaveLength(1);
    expect(await notices()).toEqual([]);
    expect(processed('status=200')?.getField('status')).toBe(200);
  });
});

test('a grok pattern that an extractor uses stays, and a change of it changes what the extractor reads', async () => {
  const { body: pattern } = await call('POST', '/system/grok', {
    body: { name: 'ORDER', pattern: 'order-\\d+' },
  });
  await create({
    ...STATUS,
    title: 'Order',
    extractor_type: 'grok',
    extractor_config: { grok_pattern: '%{ORDER:order}', named_captures_only: true },
    target_field: '',
    converters: {},
    condition_type: 'none',
  });
  expect(processed('paid order-17')?.getField('order')).toBe('order-17');
  const refused = await call('DELETE', `/system/grok/${pattern.id}`);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringContaining('It is used by the extractor "Order"'),
  ]);
  const changed = await call('PUT', `/system/grok/${pattern.id}`, {
    body: { id: pattern.id, name: 'ORDER', pattern: 'o-\\w+' },
  });
  expect(changed.status).toBe(200);
  expect(processed('paid o-x1')?.getField('order')).toBe('o-x1');
});

describe('import and export', () => {
  test('an export of Graylog is imported as it is, works, and is exported as it was', async () => {
    const { status, body } = await call('POST', extractors('/import'), { body: EXPORT });
    expect([status, body.imported]).toEqual([200, EXPORT.extractors.length]);
    expect(body.extractors[0]).toEqual({
      title: 'Client address',
      extractor_id: expect.any(String),
      error: null,
    });
    const message = processed(
      '10.1.2.3 - - [16/Nov/2026:02:00:00 +0100] "GET /Shop?item=5 HTTP/1.1" 404 512',
      { _details: '{"user":{"name":"alice"}}' },
    );
    const fields: Record<string, unknown> = {};
    message?.forEachField((name, value) => {
      fields[name] = value;
    });
    expect(fields).toMatchObject({
      client_ip: '10.1.2.3',
      request_time: '2026-11-16T01:00:00.000Z',
      method: 'GET',
      path: '?item=5',
      page: '/shop',
      http_version: '1.1',
      status: 404,
      response_bytes: 512,
      d_user_name: 'alice',
    });
    expect(fields.gl2_processing_error).toBeUndefined();
    const exported = await call('GET', extractors('/export'));
    expect(exported.body).toEqual({ extractors: EXPORT.extractors, version: '1.2.3' });
  });

  test('what cannot work is left out with the reason; the others are imported', async () => {
    const [good] = EXPORT.extractors;
    const other = { ...good, title: 'Other', extractor_type: 'from_a_plugin' };
    const unknown = {
      ...good,
      title: 'Grok',
      extractor_type: 'grok',
      extractor_config: { grok_pattern: '%{NO}' },
    };
    const { status, body } = await call('POST', extractors('/import'), {
      body: { extractors: [other, good, unknown], version: '3.1.2' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      imported: 1,
      extractors: [
        {
          title: 'Other',
          extractor_id: null,
          error: expect.stringContaining('"from_a_plugin" is not a type'),
        },
        { title: good.title, extractor_id: expect.any(String), error: null },
        { title: 'Grok', extractor_id: null, error: expect.stringContaining('there is no grok pattern NO') },
      ],
    });
    expect((await call('GET', extractors())).body.total).toBe(1);
  });

  test('a body that is no export is refused', async () => {
    for (const body of [{}, { extractors: [] }, { extractors: [{ title: 'x' }] }, []]) {
      expect((await call('POST', extractors('/import'), { body })).status).toBe(400);
    }
  });
});

describe('what a form needs', () => {
  test('types and converters describe what they need', async () => {
    const { body } = await call('GET', '/system/extractors/types');
    const types: { type: string; names_fields: boolean; requested_configuration: object }[] = body.types;
    expect(types.find(({ type }) => type === 'regex')).toMatchObject({
      names_fields: false,
      requested_configuration: { regex_value: { type: 'text', is_optional: false } },
    });
    expect(types.filter(({ names_fields }) => names_fields).map(({ type }) => type)).toEqual([
      'grok',
      'json',
    ]);
    expect(body.converters.map(({ type }: { type: string }) => type)).toContain('csv');
  });

  test('a change that was made from another revision is refused; another order is no change', async () => {
    const id = await create();
    const { revision } = (await call('GET', extractors(`/${id}`))).body;
    await call('POST', extractors('/order'), { body: { order: { 7: id } } });
    const change = (title: string, from: string | undefined) =>
      call('PUT', extractors(`/${id}`), { body: { ...STATUS, title, revision: from } });
    expect((await change('Mine', revision)).status).toBe(200);
    expect((await change('Theirs', revision)).status).toBe(409);
    const { body: now } = await change('Theirs', undefined);
    expect(now).toMatchObject({ title: 'Theirs' });
    const answers = await Promise.all([change('One', now.revision), change('Other', now.revision)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('trying an extractor on a message', () => {
  const tried = async (changes: object, message: object) => {
    const { title: _title, ...extractor } = { ...STATUS, ...changes };
    return call('POST', extractors('/test'), { body: { extractor, message } });
  };

  test('runs all of it, and stores nothing', async () => {
    const { status, body } = await tried(
      { source_field: 'line', cut_or_copy: 'cut' },
      { line: 'a status=404 b', source: 'web-1', timestamp: '2026-11-16T01:00:00.000Z', streams: ['x'] },
    );
    expect([status, body]).toEqual([
      200,
      {
        looked_at: true,
        error: null,
        changes: [
          { field: 'line', before: 'a status=404 b', after: expect.not.stringContaining('404') },
          { field: 'status', before: null, after: 404 },
        ],
      },
    ]);
    expect((await call('GET', extractors())).body.total).toBe(0);
    // A message that the same extractor has read already.
    expect((await tried({}, { message: 'status=404', status: 404 })).body.changes).toEqual([
      { field: 'status', before: 404, after: 404 },
    ]);
  });

  test('says when it does not look at the message, finds nothing, or fails', async () => {
    const nothing = { looked_at: false, changes: [], error: null };
    expect((await tried({}, { message: 'no such word' })).body).toEqual(nothing);
    expect((await tried({ source_field: 'gone' }, { message: 'status=404' })).body).toEqual(nothing);
    expect((await tried({}, { message: 'status=none' })).body).toEqual({ ...nothing, looked_at: true });
    const date = { converters: { date: { date_format: 'HH:mm' } } };
    expect((await tried(date, { message: 'status=40404' })).body.error).toContain('converter date');
    const lookup = { extractor_type: 'lookup_table', extractor_config: { lookup_table_name: 'owners' } };
    expect((await tried(lookup, { message: 'status' })).body.error).toContain('are not asked');
  });

  test('refuses what could not be saved, an input that is not there, and who may not read it', async () => {
    const invalid = await tried({ extractor_config: { regex_value: '(' } }, { message: 'x' });
    expect(invalid.status).toBe(400);
    expect(invalid.text).toContain('extractor_config.regex_value');
    const body = { extractor: STATUS, message: {} };
    expect((await call('POST', extractors('/test', UNKNOWN), { body })).status).toBe(404);
    await fixture.auth.addUser('ann', [`inputs:read:${UNKNOWN}`], []);
    expect((await call('POST', extractors('/test'), { body, as: 'ann' })).status).toBe(403);
  });

  test('breaks off what takes too long', { timeout: 60_000 }, async () => {
    const slow = { extractor_config: { regex_value: '(a+)+b' }, condition_type: 'none' };
    const { body } = await tried(slow, { message: 'a'.repeat(40) });
    expect(body).toMatchObject({ changes: [], error: expect.stringContaining('took longer than') });
  });
});
