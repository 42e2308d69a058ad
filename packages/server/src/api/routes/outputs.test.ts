import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_STREAM_ID } from '#core/index.ts';
import { eventually } from '#testing/eventually.ts';
import { createOutputsFixture, type OutputsFixture } from '#testing/outputs-fixture.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';

let fixture: OutputsFixture;
beforeEach(async () => {
  fixture = await createOutputsFixture();
});
afterEach(() => fixture.close());

const UNKNOWN = 'cccccccccccccccccccccccc';
const GELF = 'org.graylog2.outputs.GelfOutput';
const gelf = { title: 'Elsewhere', type: GELF, configuration: { hostname: 'logs.example.org', port: 12201 } };
const call: OutputsFixture['call'] = (method, path, options = {}) =>
  fixture.call(method, path, { as: 'admin', ...options });

async function create(changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body, text } = await call('POST', '/system/outputs', { body: { ...gelf, ...changes } });
  if (status !== 201) throw new Error(text);
  return body.id;
}

async function createStream(title = 'Shop'): Promise<string> {
  const { body } = await call('POST', '/streams', { body: { title, index_set_id: '' } });
  return body.stream_id;
}

const attach = (streamId: string, ...outputs: string[]) =>
  call('POST', `/streams/${streamId}/outputs`, { body: { outputs } });

checkRoutes(() => ({ routes: fixture.routes, ...servedBy(fixture.auth) }), {
  runsPerOperation: 15,
  // They also need a permission for the stream.
  decidesItself: ({ path }) => path.startsWith('/streams/'),
});

test('an output whose URL is not allowed collects and does not send, until it is', async () => {
  const http = { title: 'Hook', type: 'http', configuration: { url: 'https://logs.example.org/in' } };
  const id = await create(http);
  const allow = (...entries: object[]) =>
    call('PUT', '/system/urlallowlist', { body: { disabled: false, entries } });
  const state = async () => (await call('GET', '/system/outputs/states')).body;
  const isPaused = () => fixture.workers.wanted().find((output) => output.id === id)?.paused;
  expect((await allow()).status).toBe(204);
  await eventually(() => expect(isPaused()).toBe(true));
  expect(JSON.stringify(await state())).toContain('url is not on the list of allowed URLs');
  await allow({ id: '1', type: 'regex', title: 'Ours', value: '^https://[a-z]+\\.example\\.org/' });
  await eventually(() => expect(isPaused()).toBe(false));
  expect(JSON.stringify(await state())).not.toContain('not on the list');
});

describe('outputs', () => {
  test('are created (201 with the record), listed, read, changed in part and deleted', async () => {
    const created = await call('POST', '/system/outputs', { body: { ...gelf, streams: [] } });
    const { id } = created.body;
    expect([created.status, created.headers.location]).toEqual([201, `/api/system/outputs/${id}`]);
    expect(created.body).toMatchObject({
      title: 'Elsewhere',
      type: GELF,
      creator_user_id: 'admin',
      content_pack: null,
      effective_configuration: { ...gelf.configuration, protocol: 'TCP', on_full: 'drop_oldest' },
    });
    expect(created.body.configuration).toEqual(gelf.configuration);
    expect((await call('GET', '/system/outputs')).body).toEqual({ total: 1, outputs: [created.body] });
    const renamed = await call('PUT', `/system/outputs/${id}`, { body: { title: 'New' } });
    expect([renamed.status, renamed.body]).toEqual([
      200,
      { ...created.body, title: 'New', revision: expect.not.stringMatching(created.body.revision) },
    ]);
    const moved = await call('PUT', `/system/outputs/${id}`, {
      body: { type: 'gelf', configuration: { hostname: '::1', port: '5', protocol: 'udp', later: 1 } },
    });
    expect(moved.body.configuration).toEqual({ hostname: '::1', port: '5', protocol: 'udp', later: 1 });
    expect(moved.body.effective_configuration).toMatchObject({ hostname: '::1', port: 5, protocol: 'UDP' });
    expect(moved.body.effective_configuration).not.toHaveProperty('later');
    expect((await call('GET', `/system/outputs/${id}`)).body).toEqual(moved.body);
    expect(fixture.workers.wanted()).toMatchObject([{ id, configuration: { hostname: '::1' } }]);
    expect((await call('DELETE', `/system/outputs/${id}`)).status).toBe(204);
    expect((await call('GET', `/system/outputs/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/system/outputs/${id}`)).status).toBe(404);
    expect(fixture.workers.wanted()).toEqual([]);
    const audited = (await fixture.metadata.repositories.auditLog.listPage({}, { limit: 50, offset: 0 }))
      .items;
    expect(audited.map(({ action }) => action).filter((action) => action.startsWith('output.'))).toEqual([
      'output.delete',
      'output.update',
      'output.update',
      'output.create',
    ]);
  });

  test('are found, sorted and paged, also by the streams that use them', async () => {
    for (const title of ['beta', 'Alpha', 'Gamma']) await create({ title });
    const { body } = await call('GET', '/system/outputs/paginated?query=beta');
    expect(body).toMatchObject({ total: 1, count: 1, page: 1, outputs: [{ title: 'beta' }] });
    await attach(await createStream('Web errors'), body.outputs[0].id);
    const titles = async (query: string) =>
      (await call('GET', `/system/outputs/paginated?${query}`)).body.outputs.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles('')).toEqual(['Alpha', 'beta', 'Gamma']);
    expect(await titles('sort=title&order=desc&per_page=2')).toEqual(['Gamma', 'beta']);
    expect(await titles('query=web%20gelf')).toEqual(['beta']);
    expect((await call('GET', '/system/outputs/paginated?sort=nothing')).status).toBe(400);
  });

  test('a change that was made from an older revision is refused, and overwrites only without one', async () => {
    const id = await create();
    const { revision } = (await call('GET', `/system/outputs/${id}`)).body;
    const put = (body: object) => call('PUT', `/system/outputs/${id}`, { body });
    // A pause is no change of what the form shows.
    await call('PUT', `/system/outputs/${id}/pause`);
    expect((await put({ title: 'Theirs', revision })).status).toBe(200);
    const late = await put({ title: 'Mine', revision });
    expect([late.status, late.body.message]).toEqual([
      409,
      expect.stringContaining('The output "Theirs" was changed by somebody else meanwhile.'),
    ]);
    expect((await put({ title: 'Mine' })).body.title).toBe('Mine');
  });

  test('say which streams use them, as far as the reader may know', async () => {
    const id = await create();
    const unused = await create();
    const [shop, bank] = [await createStream('Shop'), await createStream('Bank')];
    for (const stream of [shop, bank]) await attach(stream, id);
    const used = {
      streams: {
        [id]: [
          { id: bank, title: 'Bank' },
          { id: shop, title: 'Shop' },
        ],
      },
    };
    expect((await call('GET', '/system/outputs/streams')).body).toEqual(used);
    expect(Object.keys(used.streams)).not.toContain(unused);
    const { addUser } = fixture.auth;
    await addUser('banker', ['outputs:read', 'stream_outputs:read', `streams:read:${bank}`], []);
    await addUser('plumber', ['outputs:read', 'streams:read'], []);
    const seenBy = async (as: string) => (await call('GET', '/system/outputs/streams', { as })).body.streams;
    expect(await seenBy('banker')).toEqual({ [id]: [{ id: bank, title: 'Bank' }] });
    expect(await seenBy('plumber')).toEqual({});
  });

  test('an unknown type, another type and a bad configuration are refused with the reason', async () => {
    const unknown = await call('POST', '/system/outputs', { body: { ...gelf, type: 'beats' } });
    expect([unknown.status, unknown.body.message]).toEqual([
      400,
      expect.stringContaining('there is no output type "beats". There are org.graylog2.outputs.GelfOutput'),
    ]);
    const bad = await call('POST', '/system/outputs', { body: { ...gelf, configuration: { port: 99_999 } } });
    expect(bad.status).toBe(400);
    expect(bad.body.problems.map(({ path }: { path: string }) => path)).toEqual([
      'configuration.hostname',
      'configuration.port',
    ]);
    const id = await create();
    const other = await call('PUT', `/system/outputs/${id}`, { body: { type: 'stdout' } });
    expect([other.status, other.body.message]).toEqual([
      400,
      expect.stringContaining('Create another output'),
    ]);
  });

  test('types describe their configuration', async () => {
    const { types } = (await call('GET', '/system/outputs/available')).body;
    expect(types[GELF]).toMatchObject({ name: 'GELF', type: GELF, human_name: 'GELF' });
    expect(types[GELF].requested_configuration.port).toMatchObject({ default_value: 12_201 });
    expect(types['org.graylog2.outputs.LoggingOutput'].requested_configuration.prefix.default_value).toBe(
      'Writing message: ',
    );
  });

  test('secrets are encrypted, never answered, and kept when the mask is sent back', async () => {
    const files = { tls_client_cert_file: '/c.pem', tls_client_key_file: '/k.pem' };
    const configuration = { hostname: 'h', ...files, tls_client_key_password: 'open sesame' };
    const created = await call('POST', '/system/outputs', { body: { ...gelf, configuration } });
    expect(created.text).not.toContain('sesame');
    expect(created.body.configuration.tls_client_key_password).toBe('<password set>');
    const { id } = created.body;
    const changed = { ...created.body.configuration, port: 7 };
    await call('PUT', `/system/outputs/${id}`, { body: { configuration: changed } });
    expect(fixture.workers.wanted()[0]?.configuration).toMatchObject({
      port: 7,
      tls_client_key_password: 'open sesame',
    });
    const stored = await fixture.metadata.repositories.outputs.find(id);
    expect(JSON.stringify(stored)).not.toContain('sesame');
    const audit = await fixture.metadata.repositories.auditLog.listPage({}, { limit: 50, offset: 0 });
    expect(JSON.stringify(audit)).not.toContain('sesame');
  });

  test('are paused and resumed, and show their state', async () => {
    const id = await create();
    expect((await call('PUT', `/system/outputs/${id}/pause`)).status).toBe(204);
    expect(fixture.workers.wanted()).toMatchObject([{ id, paused: true }]);
    expect((await call('GET', '/system/outputs/states')).body.states).toMatchObject([
      { id, state: 'PAUSED' },
    ]);
    expect((await call('PUT', `/system/outputs/${id}/resume`)).status).toBe(204);
    fixture.workers.report(id, {
      state: 'FAILED',
      message: 'cannot connect',
      queuedMessages: 5,
      queuedBytes: 600,
      oldestReceivedAt: fixture.clock.now() - 7000,
      lastError: { message: 'cannot connect', at: fixture.clock.now() },
    });
    const { states } = (await call('GET', '/system/outputs/states')).body;
    expect(states).toMatchObject([
      {
        id,
        state: 'FAILED',
        detailed_message: 'cannot connect',
        queued_messages: 5,
        queued_bytes: 600,
        oldest_message_age_ms: 7000,
        last_error: { message: 'cannot connect' },
      },
    ]);
    expect((await call('PUT', `/system/outputs/${UNKNOWN}/pause`)).status).toBe(404);
  });

  test('operators are told of an output that fails for a while or drops, and that it works again', async () => {
    const id = await create();
    const told = async () => (await fixture.notifications.list()).map(({ type }) => type).toSorted();
    fixture.workers.report(id, { state: 'FAILED', message: 'cannot connect; next attempt in 1 s' });
    expect(await told()).toEqual([]);
    fixture.clock.advance(11_000);
    fixture.workers.report(id, { state: 'FAILED', message: 'cannot connect; next attempt in 2 s' });
    await eventually(async () => expect(await told()).toEqual(['output_failing']));
    fixture.workers.report(id, { droppedMessages: 3 });
    await eventually(async () => expect(await told()).toEqual(['output_dropped_messages']));
    await call('DELETE', `/system/outputs/${id}`);
    await eventually(async () => expect(await told()).toEqual([]));
  });
});

describe('outputs of a stream', () => {
  test('are attached (202), listed, shown in the stream, cloned with it and detached', async () => {
    const id = await create();
    const stream = await createStream();
    expect((await attach(stream, id)).status).toBe(202);
    expect((await attach(stream, id)).status).toBe(202);
    const record = (await call('GET', `/system/outputs/${id}`)).body;
    expect((await call('GET', `/streams/${stream}/outputs`)).body).toEqual({ total: 1, outputs: [record] });
    expect((await call('GET', `/streams/${stream}/outputs/${id}`)).body).toEqual(record);
    expect((await call('GET', `/streams/${stream}`)).body.outputs).toEqual([record]);
    const clone = (await call('POST', `/streams/${stream}/clone`, { body: { title: 'Copy' } })).body
      .stream_id;
    expect((await call('GET', `/streams/${clone}`)).body.outputs).toEqual([record]);
    expect((await call('DELETE', `/streams/${stream}/outputs/${id}`)).status).toBe(204);
    expect((await call('DELETE', `/streams/${stream}/outputs/${id}`)).status).toBe(404);
    expect((await call('GET', `/system/outputs/${id}`)).status).toBe(200);
    await call('DELETE', `/system/outputs/${id}`);
    expect((await call('GET', `/streams/${clone}`)).body.outputs).toEqual([]);
  });

  test('are not cloned by those who may not assign them', async () => {
    const id = await create();
    const stream = await createStream();
    await attach(stream, id);
    await fixture.auth.addUser('copier', ['streams:create', `streams:read:${stream}`], []);
    const clone = await call('POST', `/streams/${stream}/clone`, { as: 'copier', body: { title: 'Copy' } });
    expect(clone.status).toBe(201);
    expect((await call('GET', `/streams/${clone.body.stream_id}`)).body.outputs).toEqual([]);
  });

  test('reach the workers with the streams, also for built-in ones', async () => {
    const id = await create();
    expect((await attach(DEFAULT_STREAM_ID, id)).status).toBe(202);
    expect(fixture.streams.snapshot()?.defaultStream.outputIds).toEqual([id]);
    await call('DELETE', `/system/outputs/${id}`);
    expect(fixture.streams.snapshot()?.defaultStream.outputIds).toEqual([]);
  });

  test('must exist, as must the stream', async () => {
    const id = await create();
    const stream = await createStream();
    const unknown = await attach(stream, id, UNKNOWN);
    expect([unknown.status, unknown.body.message]).toEqual([404, `Output ${UNKNOWN} not found!`]);
    expect((await call('GET', `/streams/${stream}/outputs`)).body.total).toBe(0);
    expect((await attach(UNKNOWN, id)).status).toBe(404);
    expect((await call('GET', `/streams/${UNKNOWN}/outputs`)).status).toBe(404);
    expect((await call('GET', `/streams/${stream}/outputs/${id}`)).status).toBe(404);
  });

  test('need the permission for outputs of streams and the one for the stream', async () => {
    const id = await create();
    const stream = await createStream();
    await attach(stream, id);
    const { addUser } = fixture.auth;
    await addUser('reader', [], ['Reader']);
    await addUser('stranger', ['stream_outputs:*'], []);
    await addUser('owner', [`streams:read,edit:${stream}`, 'stream_outputs:*'], []);
    const attempts = (as: string) =>
      Promise.all([
        call('GET', `/streams/${stream}/outputs`, { as }),
        call('GET', `/streams/${stream}/outputs/${id}`, { as }),
        call('POST', `/streams/${stream}/outputs`, { as, body: { outputs: [id] } }),
        call('DELETE', `/streams/${stream}/outputs/${UNKNOWN}`, { as }),
      ]).then((answers) => answers.map(({ status }) => status));
    expect(await attempts('reader')).toEqual([403, 403, 403, 403]);
    expect(await attempts('stranger')).toEqual([403, 403, 403, 403]);
    expect(await attempts('owner')).toEqual([200, 200, 202, 404]);
    expect(await attempts('Basic bm9ib2R5Om5v')).toEqual([401, 401, 401, 401]);
    await addUser('blind', [`streams:read:${stream}`], []);
    expect((await call('GET', `/streams/${stream}`, { as: 'blind' })).body.outputs).toEqual([]);
  });
});
