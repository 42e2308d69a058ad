import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { InputType } from '@millrace/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FIXTURE_NODE_ID } from '#testing/api-fixture.ts';
import { eventually } from '#testing/eventually.ts';
import { createInputsFixture, type InputsFixture } from '#testing/inputs-fixture.ts';
import { createWorkerPoolFixture, temporaryJournal } from '#testing/worker-pool-fixture.ts';
import type { WorkerPool } from '#workers/index.ts';

const TCP = 'org.graylog2.inputs.gelf.tcp.GELFTCPInput';

let journal: Awaited<ReturnType<typeof temporaryJournal>>;
let workers: WorkerPool;
let fixture: InputsFixture;

beforeAll(async () => {
  journal = await temporaryJournal();
  workers = createWorkerPoolFixture({ journalDirectory: journal.directory }).workers;
  await workers.start();
});
afterAll(async () => {
  await workers.stop();
  await journal.remove();
});
beforeEach(async () => {
  fixture = await createInputsFixture({
    workers,
    users: {
      admin: ['*'],
      reader: ['inputs:read'],
      nobody: [],
      creator: ['inputs:create'],
    },
  });
});
afterEach(async () => {
  await fixture.close();
  await workers.apply([]);
});

const request = (changes: Record<string, unknown> = {}) => ({
  title: 'Shop',
  type: 'gelf-tcp',
  global: true,
  configuration: { bind_address: '127.0.0.1', port: 0 },
  ...changes,
});

async function create(changes: Record<string, unknown> = {}): Promise<string> {
  const created = await fixture.call('POST', '/system/inputs', request(changes));
  expect(created.status).toBe(201);
  expect(created.body).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/) });
  return created.body.id;
}

const stateOf = async (id: string) => (await fixture.call('GET', `/system/inputstates/${id}`)).body;

describe('inputs', () => {
  test('are created by class name or short id, started, read, changed and deleted', async () => {
    const id = await create({ type: TCP });
    expect(await stateOf(id)).toMatchObject({
      id,
      state: 'RUNNING',
      detailed_message: expect.stringMatching(/^listens on port \d+, which the system has chosen$/),
      message_input: { id, title: 'Shop' },
    });
    const read = await fixture.call('GET', `/system/inputs/${id}`);
    expect(read.body).toMatchObject({
      title: 'Shop',
      global: true,
      name: 'GELF TCP',
      type: TCP,
      node: null,
      content_pack: null,
      creator_user_id: 'admin',
      static_fields: {},
      effective_attributes: {
        bind_address: '127.0.0.1',
        port: 0,
        use_null_delimiter: true,
        tls_enable: false,
      },
    });
    expect(read.body.attributes).toEqual({ bind_address: '127.0.0.1', port: 0 });
    const changed = await fixture.call(
      'PUT',
      `/system/inputs/${id}`,
      request({ title: 'Store', global: false }),
    );
    expect([changed.status, changed.body]).toEqual([201, { id }]);
    const list = await fixture.call('GET', '/system/inputs');
    expect(list.body).toMatchObject({
      total: 1,
      inputs: [{ id, title: 'Store', global: false, node: FIXTURE_NODE_ID }],
    });
    expect((await fixture.call('DELETE', `/system/inputs/${id}`)).status).toBe(204);
    expect((await fixture.call('DELETE', `/system/inputs/${id}`)).status).toBe(404);
    expect((await fixture.call('GET', `/system/inputs/${id}`)).status).toBe(404);
    expect((await fixture.call('GET', '/system/inputstates')).body).toEqual({ states: [] });
    expect(fixture.audited.map(({ action }) => action)).toEqual([
      'input.create',
      'input.update',
      'input.delete',
    ]);
  });

  test('are found, sorted and paged, those that the reader may read', async () => {
    const stopped = await create({ title: 'beta' });
    await create({ title: 'Alpha', type: 'gelf-udp' });
    await create({ title: 'Gamma' });
    await fixture.call('DELETE', `/system/inputstates/${stopped}`);
    const page = (query: string, as?: string) =>
      fixture.call('GET', `/system/inputs/paginated?${query}`, undefined, as);
    const titles = async (query: string, as?: string) =>
      (await page(query, as)).body.inputs.map(({ title }: { title: string }) => title);
    expect(await titles('')).toEqual(['Alpha', 'beta', 'Gamma']);
    expect(await titles('sort=title&order=desc&per_page=2')).toEqual(['Gamma', 'beta']);
    expect((await page('per_page=2&page=2')).body).toMatchObject({
      total: 3,
      count: 1,
      page: 2,
      per_page: 2,
    });
    await eventually(async () => expect(await titles('query=stopped')).toEqual(['beta']));
    expect(await titles('query=gelf%20alpha%20127.0.0.1')).toEqual(['Alpha']);
    expect(await titles('', 'reader')).toHaveLength(3);
    expect(await titles('', 'nobody')).toEqual([]);
    expect((await page('sort=nothing')).status).toBe(400);
  });

  test('a change that was made from an older revision is refused, and overwrites only without one', async () => {
    const id = await create();
    const { revision } = (await fixture.call('GET', `/system/inputs/${id}`)).body;
    const put = (changes: Record<string, unknown>) =>
      fixture.call('PUT', `/system/inputs/${id}`, request(changes));
    // Neither a static field nor a stop is a change of what the form shows.
    await fixture.call('POST', `/system/inputs/${id}/staticfields`, { key: 'site', value: 'berlin' });
    await fixture.call('DELETE', `/system/inputstates/${id}`);
    expect((await put({ title: 'Theirs', revision })).status).toBe(201);
    const late = await put({ title: 'Mine', revision });
    expect([late.status, late.body.message]).toEqual([
      409,
      expect.stringContaining('The input "Theirs" was changed by somebody else meanwhile.'),
    ]);
    expect((await fixture.call('GET', `/system/inputs/${id}`)).body.title).toBe('Theirs');
    expect((await put({ title: 'Mine' })).status).toBe(201);
  });

  test('their state says where they listen while they run', async () => {
    const id = await create();
    expect(await stateOf(id)).toMatchObject({
      listening: { address: '127.0.0.1', port: expect.any(Number) },
      losses: [],
    });
    await fixture.call('DELETE', `/system/inputstates/${id}`);
    expect(await stateOf(id)).toMatchObject({ state: 'STOPPED', listening: null });
  });

  test('an unknown type is 404, a bad configuration 400 with every problem', async () => {
    const unknown = await fixture.call('POST', '/system/inputs', request({ type: 'pigeon' }));
    expect([unknown.status, unknown.body.message]).toEqual([404, expect.stringContaining('"pigeon"')]);
    const bad = await fixture.call(
      'POST',
      '/system/inputs',
      request({ configuration: { port: 70_000, tls_client_auth: 'maybe', max_message_size: 'big' } }),
    );
    expect(bad.status).toBe(400);
    expect(bad.body.type).toBe('ValidationApiError');
    expect(Object.keys(bad.body.validation_errors).sort()).toEqual([
      'max_message_size',
      'port',
      'tls_client_auth',
    ]);
    expect(bad.body.problems).toContainEqual({
      path: 'configuration.port',
      message: 'must be a port from 0 (any free one) to 65535, not 70000',
    });
    expect(bad.body.message).toContain('70000');
    expect((await fixture.call('GET', '/system/inputs')).body.total).toBe(0);
    for (const body of [
      { ...request(), title: ' ' },
      { ...request(), titel: 'x', title: {} },
      { title: 'x' },
    ]) {
      expect((await fixture.call('POST', '/system/inputs', body)).status).toBe(400);
    }
  });

  test('an input on an unknown node is refused', async () => {
    const answer = await fixture.call(
      'POST',
      '/system/inputs',
      request({ global: false, node: 'elsewhere' }),
    );
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('elsewhere')]);
  });

  test('an unknown id is 404 everywhere', async () => {
    const id = 'f'.repeat(24);
    for (const [method, path, body] of [
      ['GET', `/system/inputs/${id}`],
      ['PUT', `/system/inputs/${id}`, request()],
      ['DELETE', `/system/inputs/${id}`],
      ['GET', `/system/inputstates/${id}`],
      ['PUT', `/system/inputstates/${id}`],
      ['DELETE', `/system/inputstates/${id}`],
      ['PUT', `/cluster/inputstates/${id}`],
      ['POST', `/system/inputs/${id}/staticfields`, { key: 'a', value: 'b' }],
      ['DELETE', `/system/inputs/${id}/staticfields/a`],
      ['GET', '/system/inputs/%00'],
    ] as const) {
      expect((await fixture.call(method, path, body)).status, `${method} ${path}`).toBe(404);
    }
  });

  test('a configuration is answered as it was sent, and runs with the defaults of its type', async () => {
    // What the provider of Terraform sends for a GELF TCP input, with a key that this server does not have.
    const configuration = {
      bind_address: '127.0.0.1',
      port: '0',
      recv_buffer_size: 1048576,
      max_message_size: 2097152,
      override_source: '',
      tls_key_password: '',
      tls_cert_file: null,
      decompress_size_limit_v2: { unit: 'bytes', value: 8388608 },
    };
    const id = await create({ type: TCP, configuration });
    const read = async () => (await fixture.call('GET', `/system/inputs/${id}`)).body;
    const first = await read();
    expect(first.attributes).toEqual(configuration);
    expect(first.effective_attributes).toMatchObject({
      port: 0,
      recv_buffer_size: 1048576,
      max_connections: 4096,
    });
    expect(first.effective_attributes).not.toHaveProperty('decompress_size_limit_v2');
    expect(await stateOf(id)).toMatchObject({ state: 'RUNNING' });
    await fixture.call('PUT', `/system/inputs/${id}`, request({ configuration: first.attributes }));
    expect((await read()).attributes).toEqual(configuration);
  });

  test('a secret that the type has no field for is refused: nothing would protect it', async () => {
    const configuration = { bind_address: '127.0.0.1', port: 0, ldap_password: 'sesame' };
    const answer = await fixture.call('POST', '/system/inputs', request({ configuration }));
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('it has no field "ldap_password"');
    expect(JSON.stringify(answer.body)).not.toContain('sesame');
  });

  test('nobody sees passwords, and sending back a masked one keeps it', async () => {
    const configuration = { bind_address: '127.0.0.1', port: 0, tls_key_password: 'sesame' };
    const id = await create({ configuration });
    const attributesFor = async (as: string) =>
      (await fixture.call('GET', `/system/inputs/${id}`, undefined, as)).body.attributes;
    const seen = await attributesFor('admin');
    expect(seen.tls_key_password).toBe('<password set>');
    expect(await attributesFor('reader')).toEqual(seen);
    await fixture.call('PUT', `/system/inputs/${id}`, request({ configuration: seen }));
    expect((await attributesFor('admin')).tls_key_password).toBe('<password set>');
    expect(JSON.stringify(fixture.audited)).not.toContain('sesame');
  });

  test('users who may not read an input do not see it', async () => {
    const id = await create();
    expect((await fixture.call('GET', '/system/inputs', undefined, 'nobody')).body).toEqual({
      inputs: [],
      total: 0,
    });
    expect((await fixture.call('GET', '/system/inputstates', undefined, 'nobody')).body).toEqual({
      states: [],
    });
    expect((await fixture.call('GET', `/system/inputs/${id}`, undefined, 'nobody')).status).toBe(403);
    expect((await fixture.call('DELETE', `/system/inputs/${id}`, undefined, 'reader')).status).toBe(403);
    expect((await fixture.call('DELETE', `/system/inputstates/${id}`, undefined, 'reader')).status).toBe(403);
    expect((await fixture.call('POST', '/system/inputs', request(), 'reader')).status).toBe(403);
    expect((await fixture.call('POST', '/system/inputs', request(), 'creator')).status).toBe(201);
  });
});

describe('states', () => {
  test('stop and start survive', async () => {
    const id = await create();
    expect(await fixture.call('DELETE', `/system/inputstates/${id}`)).toMatchObject({
      status: 200,
      body: { id },
    });
    expect((await stateOf(id)).state).toBe('STOPPED');
    expect((await fixture.metadata.repositories.inputs.find(id))?.desiredState).toBe('stopped');
    // A change of a stopped input does not start it.
    await fixture.call('PUT', `/system/inputs/${id}`, request({ title: 'Other' }));
    expect((await stateOf(id)).state).toBe('STOPPED');
    expect(await fixture.notifications()).toContain(`no_input_running ${FIXTURE_NODE_ID}`);
    expect((await fixture.call('PUT', `/cluster/inputstates/${id}`)).body).toEqual({
      [FIXTURE_NODE_ID]: { id },
    });
    expect((await stateOf(id)).state).toBe('RUNNING');
    await eventually(async () => expect(await fixture.notifications()).toEqual([]));
    const everywhere = await fixture.call('GET', '/cluster/inputstates');
    expect(everywhere.body[FIXTURE_NODE_ID]).toMatchObject([{ id, state: 'RUNNING' }]);
  });

  test('a port in use shows as a state with the reason, and the input runs once it is free', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const id = await create({ configuration: { bind_address: '127.0.0.1', port } });
    expect(await stateOf(id)).toMatchObject({
      state: 'FAILED',
      detailed_message: expect.stringContaining(String(port)),
    });
    await eventually(async () =>
      expect(await fixture.notifications()).toContain(`input_failed_to_start ${id}`),
    );
    other.close();
    await once(other, 'close');
    // Starting it explicitly does not wait for the next attempt.
    await fixture.call('PUT', `/system/inputstates/${id}`);
    expect((await stateOf(id)).state).toBe('RUNNING');
    await eventually(async () =>
      expect(await fixture.notifications()).not.toContain(`input_failed_to_start ${id}`),
    );
  });

  test('a second input on the same port fails and names the first', async () => {
    const probe = net.createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const configuration = { bind_address: '127.0.0.1', port };
    const first = await create({ configuration });
    const second = await create({ title: 'Second', configuration });
    expect((await stateOf(first)).state).toBe('RUNNING');
    expect(await stateOf(second)).toMatchObject({
      state: 'FAILED',
      detailed_message: expect.stringContaining(`"Shop" (${first})`),
    });
    await fixture.call('DELETE', `/system/inputs/${first}`);
    expect((await stateOf(second)).state).toBe('RUNNING');
  });
});

describe('static fields', () => {
  test('are added, replaced and removed', async () => {
    const id = await create();
    const add = (key: unknown, value: unknown) =>
      fixture.call('POST', `/system/inputs/${id}/staticfields`, { key, value });
    expect((await add('site', 'north')).status).toBe(201);
    expect((await add('site', 'south')).status).toBe(201);
    expect((await add('rack.no', '7')).status).toBe(201);
    expect((await fixture.call('GET', `/system/inputs/${id}`)).body.static_fields).toEqual({
      site: 'south',
      'rack.no': '7',
    });
    const remove = (key: string) => fixture.call('DELETE', `/system/inputs/${id}/staticfields/${key}`);
    expect((await remove('site')).status).toBe(204);
    expect((await remove('site')).status).toBe(404);
    for (const [key, value] of [
      ['', 'x'],
      ['a b', 'x'],
      ['häuser', 'x'],
      ['message', 'x'],
      ['source', 'x'],
      ['timestamp', 'x'],
      ['_id', 'x'],
      ['ok', ''],
      ['ok', {}],
    ]) {
      expect((await add(key, value)).status, `${key}=${value}`).toBe(400);
    }
    expect(fixture.audited.map(({ action }) => action)).toContain('input.staticfield.set');
  });
});

describe('types', () => {
  test('are listed with their configuration fields', async () => {
    const names = (await fixture.call('GET', '/system/inputs/types', undefined, 'nobody')).body.types;
    expect(names).toMatchObject({ [TCP]: 'GELF TCP' });
    expect(Object.values(names)).toEqual(['GELF UDP', 'GELF TCP', 'GELF HTTP']);
    const all = (await fixture.call('GET', '/system/inputs/types/all')).body;
    expect(Object.keys(all)).toEqual(Object.keys(names));
    expect(all[TCP]).toMatchObject({
      type: TCP,
      name: 'GELF TCP',
      is_exclusive: false,
      requested_configuration: {
        port: {
          type: 'number',
          attributes: ['is_port_number'],
          default_value: 12201,
          is_optional: false,
          order: 1,
          min: 0,
          max: 65_535,
        },
        max_message_size: { default_value: 2_097_152, min: 1, unit: 'bytes', group: 'Limits' },
        idle_timeout: { default_value: 3600, max: 86_400, unit: 'seconds' },
        tls_key_password: {
          type: 'text',
          attributes: ['is_password'],
          is_optional: true,
          is_secret: true,
          group: 'TLS',
          depends_on: { field: 'tls_enable', value: true },
        },
        tls_client_auth: { type: 'dropdown', additional_info: { values: expect.any(Object) } },
      },
    });
    for (const type of [TCP, 'gelf-tcp']) {
      expect((await fixture.call('GET', `/system/inputs/types/${type}`)).body).toEqual(all[TCP]);
    }
    expect((await fixture.call('GET', '/system/inputs/types/pigeon')).status).toBe(404);
  });

  test('have a description and examples with a place for the address', async () => {
    const all = (await fixture.call('GET', '/system/inputs/types/all')).body;
    for (const { description, examples } of Object.values<InputType>(all)) {
      expect(description).toMatch(/\.$/);
      expect(examples[0]).toMatchObject({ label: 'Shell', language: 'shell' });
      // Docker cannot send by HTTP or TLS: the syslog of its machine does, as other examples show.
      const direct = examples.filter(({ text }) => !text.includes('--log-driver syslog'));
      for (const { text } of direct)
        expect([text.includes('{host}'), text.includes('{port}')]).toEqual([true, true]);
    }
  });

  test('check a configuration without creating an input', async () => {
    const validate = (configuration: unknown, type = 'gelf-tcp', user = 'creator') =>
      fixture.call('POST', `/system/inputs/types/${type}/validate`, { configuration }, user);
    expect(await validate({ port: 0 })).toMatchObject({ status: 200, body: { problems: [] } });
    const bad = await validate({ port: -1, max_message_size: '1gb', surprise: 1 });
    expect(bad.body.problems).toEqual([
      { path: 'port', message: 'must be a port from 0 (any free one) to 65535, not -1' },
      {
        path: 'max_message_size',
        message: 'must be a size from 1b to 32mb in kb, mb, gb or tb, not "1gb"',
      },
    ]);
    // Between fields: a certificate without its key.
    const tls = { tls_enable: true, tls_cert_file: '/tmp/cert.pem', tls_key_password: '<password set>' };
    expect((await validate(tls, TCP)).body.problems).toEqual([
      { path: 'tls_key_file', message: 'is missing: the certificate needs its private key' },
    ]);
    expect((await validate({}, 'pigeon')).status).toBe(404);
    expect((await validate({}, TCP, 'reader')).status).toBe(403);
    expect((await validate('port')).status).toBe(400);
    expect((await fixture.call('GET', '/system/inputs')).body.total).toBe(0);
  });
});

describe('default inputs', () => {
  test('are created once and not recreated after deletion', async () => {
    const { metadata } = fixture;
    const titles = async () => (await metadata.repositories.inputs.list()).map(({ title }) => title).sort();
    const first = await createInputsFixture({ workers, metadata, withDefaultInputs: true });
    expect(await titles()).toEqual(['GELF HTTP', 'GELF TCP', 'GELF UDP']);
    const { states } = (await first.call('GET', '/system/inputstates')).body;
    expect(states.map(({ state }: { state: string }) => state)).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
    await first.call('DELETE', `/system/inputs/${states[0].id}`);
    await first.close();
    const second = await createInputsFixture({ workers, metadata, withDefaultInputs: true });
    expect(await titles()).toHaveLength(2);
    await second.close();
  });
});
