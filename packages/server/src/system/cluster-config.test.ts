import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Caller, ForbiddenError, InvalidError, NotFoundError } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { type ClusterConfigClass, createClusterConfigs, createStoredClass } from './cluster-config.ts';

const CLASS = 'org.example.Stored';
const DEFAULTS = { enabled: false, interval: 'PT1M', names: ['a'] };

/** What the audit log gets. */
let recorded: unknown[];
let metadata: Metadata;
let stored: ClusterConfigClass;

const callerWith = (...permissions: string[]): Caller => ({
  principal: { userId: 'u', username: 'ann', can: (permission) => permissions.includes(permission) },
  remoteAddress: '127.0.0.1',
});
const caller = callerWith();

beforeEach(async () => {
  recorded = [];
  metadata = await openTestMetadata(new ManualClock());
  const audit = { record: async (entry: unknown) => void recorded.push(entry) };
  stored = createStoredClass(
    { store: metadata.repositories, audit },
    { className: CLASS, defaults: DEFAULTS, fixed: { enabled: 'use something else' } },
  );
});

afterEach(() => metadata.close());

describe('a class that is stored for clients', () => {
  test('has its defaults, then what was sent and nothing else, then its defaults again', async () => {
    expect(await stored.read()).toEqual(DEFAULTS);
    const sent = { interval: 'PT5M', another: { nested: [1, null] } };
    expect(await stored.write(caller, sent)).toEqual(sent);
    expect(await stored.read()).toEqual(sent);
    await stored.reset(caller);
    expect(await stored.read()).toEqual(DEFAULTS);
    expect(recorded).toMatchObject([
      { action: 'cluster_config.update', actor: 'ann', objectId: CLASS, before: DEFAULTS, after: sent },
      { action: 'cluster_config.update', actor: 'ann', objectId: CLASS, before: sent, after: DEFAULTS },
    ]);
  });

  test('refuses what has no effect here, with the way out, and keeps what it has', async () => {
    const refused = stored.write(caller, { ...DEFAULTS, enabled: true });
    await expect(refused).rejects.toThrow(
      new InvalidError('enabled cannot be true here: use something else.', { path: 'enabled' }),
    );
    await expect(stored.write(caller, { enabled: 'x'.repeat(1000) })).rejects.toThrow(
      new InvalidError(`enabled cannot be "${'x'.repeat(99)} here: use something else.`, { path: 'enabled' }),
    );
    expect(await stored.read()).toEqual(DEFAULTS);
    expect(recorded).toEqual([]);
  });

  test.each([[{ enabled: false }], [{ enabled: null }], [{}]])(
    'takes %j, which changes nothing',
    async (sent) => {
      expect(await stored.write(caller, sent)).toEqual(sent);
    },
  );

  test('is bounded', async () => {
    const sent = { interval: 'x'.repeat(100_000) };
    await expect(stored.write(caller, sent)).rejects.toThrow('longer than 100000 characters');
    expect(await stored.read()).toEqual(DEFAULTS);
  });
});

describe('the classes', () => {
  const GUARDED = 'org.example.Guarded';
  let written: unknown[];
  const guarded = (): ClusterConfigClass => ({
    className: GUARDED,
    permissions: { read: 'guarded:read', write: 'guarded:write' },
    read: async () => undefined,
    write: async (_, config) => {
      written.push(config);
      return config;
    },
    reset: async () => void written.push('reset'),
  });
  const configs = () => createClusterConfigs([stored, guarded()]);
  beforeEach(() => {
    written = [];
  });

  test('that need permissions of their own are listed, read and changed with these only', async () => {
    const all = configs();
    const reader = callerWith('guarded:read');
    expect(all.list(caller.principal)).toEqual({ total: 1, classes: [CLASS] });
    expect(all.list(reader.principal)).toEqual({ total: 2, classes: [CLASS, GUARDED] });
    await expect(all.get(caller.principal, GUARDED)).rejects.toThrow(ForbiddenError);
    expect(await all.get(reader.principal, GUARDED)).toBeUndefined();
    for (const change of [
      () => all.set(reader, GUARDED, {}),
      () => all.reset(reader, GUARDED),
      () => all.set(caller, GUARDED, {}),
    ]) {
      const needs = { needs: 'guarded:write' };
      await expect(change()).rejects.toThrow(new ForbiddenError('Not allowed: guarded:write', needs));
    }
    expect(written).toEqual([]);
    const writer = callerWith('guarded:write');
    expect(await all.set(writer, GUARDED, { a: 1 })).toEqual({ a: 1 });
    await all.reset(writer, GUARDED);
    expect(written).toEqual([{ a: 1 }, 'reset']);
  });

  test('that do not exist are a 404 that names those that do', async () => {
    const all = configs();
    const unknown = 'org.graylog2.Unknown';
    for (const work of [
      () => all.get(caller.principal, unknown),
      () => all.set(caller, unknown, {}),
      () => all.reset(caller, unknown),
    ]) {
      await expect(work()).rejects.toThrow(NotFoundError);
      await expect(work()).rejects.toThrow(`There are ${CLASS}, ${GUARDED}.`);
    }
  });
});
