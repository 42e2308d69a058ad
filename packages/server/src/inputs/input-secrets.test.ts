import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD_SET } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createInputsFixture, type InputsFixture } from '#testing/inputs-fixture.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { obedientWorkers } from '#testing/obedient-workers.ts';
import { createPortClaims } from './management/port-claims.ts';

let metadata: Metadata;
const running: InputsFixture[] = [];

beforeEach(async () => {
  metadata = await openTestMetadata();
});
afterEach(async () => {
  for (const fixture of running.splice(0)) await fixture.close();
  await metadata.close();
});

async function start(passwordSecret?: string) {
  const parts = obedientWorkers();
  const fixture = await createInputsFixture({
    workers: parts.workers,
    metadata,
    claims: createPortClaims(async (_transport, _address, port) => port),
    ...(passwordSecret !== undefined && { passwordSecret }),
  });
  running.push(fixture);
  const inWorkers = (id: string) => parts.applied.at(-1)?.find((input) => input.id === id)?.configuration;
  return { ...parts, ...fixture, inWorkers };
}

const configuration = {
  bind_address: '127.0.0.1',
  port: 1000,
  tls_key_password: 'sesame1',
  authorization_header_name: 'Authorization',
  authorization_header_value: 'sesame2',
};
const request = (changes: Record<string, unknown> = {}) => ({
  title: 'Shop',
  type: 'gelf-http',
  global: true,
  configuration: { ...configuration, ...changes },
});

const storeInClear = () =>
  metadata.repositories.inputs.insert({
    title: 'Old',
    type: 'gelf-http',
    global: true,
    nodeId: null,
    configuration,
    creator: 'admin',
    contentPack: null,
    desiredState: 'running',
  });

const storedConfiguration = async (id: string) =>
  (await metadata.repositories.inputs.find(id))?.configuration ?? {};

describe('secrets of an input', () => {
  test('are stored encrypted, given to the workers in clear, and answered to nobody', async () => {
    const { call, inWorkers, audited } = await start();
    const created = await call('POST', '/system/inputs', request());
    const { id } = created.body;
    expect(JSON.stringify(await storedConfiguration(id))).not.toContain('sesame');
    expect(inWorkers(id)).toMatchObject(configuration);
    for (const path of [
      '/system/inputs',
      `/system/inputs/${id}`,
      '/system/inputstates',
      `/system/inputstates/${id}`,
    ]) {
      const text = JSON.stringify((await call('GET', path)).body);
      expect(text).not.toContain('sesame');
      expect(text).not.toContain('$millrace$');
      expect(text).toContain(PASSWORD_SET);
    }
    expect(JSON.stringify(audited)).not.toMatch(/sesame|\$millrace\$/);
  });

  test('keep their value when the mask is sent back, and are replaced otherwise', async () => {
    const { call, inWorkers } = await start();
    const { id } = (await call('POST', '/system/inputs', request())).body;
    const seen = (await call('GET', `/system/inputs/${id}`)).body.attributes;
    const change = (changes: Record<string, unknown>) =>
      call('PUT', `/system/inputs/${id}`, { ...request(), configuration: { ...seen, ...changes } });
    expect((await change({ port: 1001 })).status).toBe(201);
    expect(inWorkers(id)).toMatchObject({ ...configuration, port: 1001 });
    await change({ tls_key_password: 'another' });
    expect(inWorkers(id)).toMatchObject({ ...configuration, tls_key_password: 'another' });
    await change({ tls_key_password: '' });
    expect(inWorkers(id)).not.toHaveProperty('tls_key_password');
  });

  test('cannot be the mask, nor something encrypted elsewhere', async () => {
    const { call, inWorkers } = await start();
    const first = (await call('POST', '/system/inputs', request())).body.id;
    const { tls_key_password: encrypted } = await storedConfiguration(first);
    const second = (
      await call('POST', '/system/inputs', request({ port: 1001, tls_key_password: encrypted }))
    ).body.id;
    expect(inWorkers(second)?.tls_key_password).toBe(encrypted);
    const masked = request({ port: 1002, tls_key_password: PASSWORD_SET });
    const third = (await call('POST', '/system/inputs', masked)).body.id;
    expect(inWorkers(third)).not.toHaveProperty('tls_key_password');
  });

  test('do not work for another input', async () => {
    const { call } = await start();
    const first = (await call('POST', '/system/inputs', request())).body.id;
    const second = (await call('POST', '/system/inputs', request({ port: 1001 }))).body.id;
    const { inputs } = metadata.repositories;
    await inputs.replaceConfiguration(second, await storedConfiguration(second), {
      ...(await storedConfiguration(second)),
      tls_key_password: (await storedConfiguration(first)).tls_key_password,
    });
    const other = await start();
    expect((await other.call('GET', `/system/inputstates/${second}`)).body.state).toBe(
      'INVALID_CONFIGURATION',
    );
  });
});

describe('secrets that an older version stored in clear', () => {
  test('are encrypted at the start, once', async () => {
    const { id } = await storeInClear();
    const { inWorkers } = await start();
    const migrated = await storedConfiguration(id);
    expect(JSON.stringify(migrated)).not.toContain('sesame');
    expect(inWorkers(id)).toMatchObject(configuration);
    await start();
    expect(await storedConfiguration(id)).toEqual(migrated);
  });

  test('are encrypted when several nodes start together', async () => {
    const { id } = await storeInClear();
    const nodes = await Promise.all([start(), start(), start()]);
    expect(JSON.stringify(await storedConfiguration(id))).not.toContain('sesame');
    for (const node of nodes) expect(node.inWorkers(id)).toMatchObject(configuration);
  });
});

describe('with another password_secret', () => {
  test('an input with secrets says why it does not run, and others run', async () => {
    const before = await start();
    const { id } = (await before.call('POST', '/system/inputs', request())).body;
    const open = { title: 'Open', type: 'gelf-tcp', global: true, configuration: { port: 1001 } };
    const { id: openId } = (await before.call('POST', '/system/inputs', open)).body;
    const { call } = await start('a secret that was changed');
    const { state, detailed_message: message } = (await call('GET', `/system/inputstates/${id}`)).body;
    expect(state).toBe('INVALID_CONFIGURATION');
    expect(message).toMatch(
      /^tls_key_password, authorization_header_value cannot be decrypted: password_secret /,
    );
    expect((await call('GET', `/system/inputstates/${openId}`)).body.state).toBe('RUNNING');
  });

  test('the secrets cannot be kept, only entered again', async () => {
    const before = await start();
    const { id } = (await before.call('POST', '/system/inputs', request())).body;
    const { call, inWorkers } = await start('a secret that was changed');
    const seen = (await call('GET', `/system/inputs/${id}`)).body.attributes;
    const stored = await storedConfiguration(id);
    const kept = await call('PUT', `/system/inputs/${id}`, { ...request(), configuration: seen });
    expect([kept.status, kept.body.message]).toEqual([400, expect.stringContaining('password_secret')]);
    expect(await storedConfiguration(id)).toEqual(stored);
    expect((await call('PUT', `/system/inputs/${id}`, request())).status).toBe(201);
    expect((await call('GET', `/system/inputstates/${id}`)).body.state).toBe('RUNNING');
    expect(inWorkers(id)).toMatchObject(configuration);
  });
});
