import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gelfCodec } from '#codecs/index.ts';
import { createComponentRegistry, createDroppedFields, type DroppedFields } from '#core/index.ts';
import { gelf, sendDatagrams, sendHttp, sendStream } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture } from '#testing/intake-fixture.ts';
import { createInputHost, type InputHost, type InputHostDeps, type InputStateReport } from './host.ts';
import { defineInputType, type InputContext, type InputType } from './input.ts';
import { INPUT_TYPES } from './registry.ts';

const LOOPBACK = { bind_address: '127.0.0.1', port: 0 };

function wanted(id: string, type: string, configuration: Record<string, unknown> = {}, started = true) {
  return { id, type, configuration: { ...LOOPBACK, ...configuration }, started };
}

describe('createInputHost', () => {
  let fixture: IntakeFixture;
  let host: InputHost;
  let reports: InputStateReport[];
  let listeners: (() => void)[];
  let droppedFields: DroppedFields;

  function createHost(overrides: Partial<InputHostDeps> = {}): InputHost {
    const { inputId: _, failed: __, ...context } = fixture.context();
    return createInputHost(
      {
        ...context,
        droppedFields,
        report(report) {
          reports.push(report);
          for (const listener of listeners) listener();
        },
        ...overrides,
      },
      { retryDelayMs: 20, maxRetryDelayMs: 40, lossCheckMs: 10 },
    );
  }

  const statesOf = (id: string) => reports.filter((each) => each.id === id).map((each) => each.state);
  const statusOf = (id: string) => host.statuses().find((each) => each.id === id);

  function reported(id: string, state: string): Promise<InputStateReport> {
    const seen = reports.length;
    return new Promise((resolve) => {
      listeners.push(() => {
        const found = reports.slice(seen).find((each) => each.id === id && each.state === state);
        if (found !== undefined) resolve(found);
      });
    });
  }

  async function occupied(port: number): Promise<Server> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  beforeEach(async () => {
    fixture = await createIntakeFixture();
    reports = [];
    droppedFields = createDroppedFields();
    listeners = [];
    host = createHost();
  });

  afterEach(async () => {
    await host.stop();
    await fixture.close();
  });

  it('shows in its state that an input loses messages, why, and what to do', async () => {
    await host.apply([wanted('t', 'gelf-tcp', { max_message_size: 100 })]);
    const before = statusOf('t');
    expect(before?.detailedMessage).toBeUndefined();
    const shown = reported('t', 'RUNNING');
    await sendStream(before?.port ?? 0, Buffer.alloc(1000, 'x'));
    expect(await shown).toEqual({
      ...before,
      losing: ['dropped.too_large'],
      detailedMessage:
        'messages were lost or refused: messages were too large (dropped.too_large.events); ' +
        'raise the size limits of the input or send less at once',
    });
  });

  it('shows the name of a field that was dropped, and counts such fields', async () => {
    await host.apply([wanted('t', 'gelf-tcp')]);
    const shown = reported('t', 'RUNNING');
    droppedFields.add('t', '_@version', 2);
    expect(await shown).toMatchObject({ droppedField: '_@version', losing: [], detailedMessage: undefined });
    expect(fixture.count('millrace.component.input.gelf-tcp.t.dropped.bad_field_name.fields')).toBe(2);
  });

  it('runs what is wanted, by wire type or short id, and reports every step', async () => {
    await host.apply([
      wanted('u', 'org.graylog2.inputs.gelf.udp.GELFUDPInput'),
      wanted('t', 'gelf-tcp'),
      wanted('h', 'gelf-http'),
    ]);
    for (const id of ['u', 't', 'h']) {
      expect(statesOf(id)).toEqual(['CREATED', 'INITIALIZED', 'STARTING', 'RUNNING']);
      expect(statusOf(id)).toMatchObject({ address: '127.0.0.1', startedAt: expect.any(Number) });
    }
    await sendDatagrams(statusOf('u')?.port ?? 0, [gelf('by UDP')]);
    await sendStream(statusOf('t')?.port ?? 0, gelf('by TCP'));
    await sendHttp(statusOf('h')?.port ?? 0, gelf('by HTTP'));
    const frames = await fixture.take(3);
    expect(frames.map(({ source }) => source.inputId).sort()).toEqual(['h', 't', 'u']);
  });

  it('leaves alone what did not change and restarts what did', async () => {
    await host.apply([wanted('a', 'gelf-tcp'), wanted('b', 'gelf-tcp')]);
    const before = statusOf('a');
    await host.apply([wanted('a', 'gelf-tcp'), wanted('b', 'gelf-tcp', { use_null_delimiter: false })]);
    expect(statusOf('a')).toBe(before);
    expect(statesOf('b').slice(-4)).toEqual(['STOPPING', 'INITIALIZED', 'STARTING', 'RUNNING']);
    await sendStream(statusOf('b')?.port ?? 0, Buffer.from(`${gelf('one')}\n${gelf('two')}\n`));
    expect((await fixture.take(2)).map(({ text }) => text)).toEqual([`${gelf('one')}`, `${gelf('two')}`]);
  });

  it('stops, starts again, and forgets what is gone together with its metrics', async () => {
    await host.apply([wanted('a', 'gelf-udp')]);
    expect(fixture.metrics.names().some((name) => name.includes('GELFUDPInput.a.'))).toBe(true);
    await host.apply([wanted('a', 'gelf-udp', {}, false)]);
    expect(statusOf('a')).toMatchObject({ state: 'STOPPED', port: undefined, startedAt: undefined });
    await host.apply([wanted('a', 'gelf-udp')]);
    expect(statusOf('a')?.state).toBe('RUNNING');
    await host.apply([]);
    expect(statesOf('a').slice(-2)).toEqual(['STOPPING', 'TERMINATED']);
    expect(host.statuses()).toEqual([]);
    expect(fixture.metrics.names().filter((name) => name.includes('.a.'))).toEqual([]);
  });

  it('reports a port that is in use with the reason, tries again, and runs once it is free', async () => {
    const server = await occupied(0);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await host.apply([wanted('a', 'gelf-tcp', { port }), wanted('b', 'gelf-tcp')]);
    expect(statusOf('a')?.state).toBe('FAILED');
    expect(statusOf('a')?.detailedMessage).toContain(`127.0.0.1:${port}: the port is in use`);
    expect(statusOf('a')?.detailedMessage).toMatch(/; next attempt in 1 s$/);
    expect(statusOf('b')?.state).toBe('RUNNING');
    await reported('a', 'FAILED');
    const running = reported('a', 'RUNNING');
    await new Promise((resolve) => server.close(resolve));
    expect(await running).toMatchObject({ port, detailedMessage: undefined });
    expect(fixture.logLines.filter((line) => line.includes('the port is in use'))).toHaveLength(1);
  });

  it('gives up trying when the input is changed or stopped', async () => {
    const server = await occupied(0);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await host.apply([wanted('a', 'gelf-tcp', { port })]);
    await host.apply([wanted('a', 'gelf-tcp', { port }, false)]);
    expect(statusOf('a')?.state).toBe('STOPPED');
    await host.apply([wanted('a', 'gelf-tcp')]);
    expect(statusOf('a')?.state).toBe('RUNNING');
    await new Promise((resolve) => server.close(resolve));
  });

  it('names what is wrong with a configuration and does not try it again', async () => {
    await host.apply([
      wanted('a', 'gelf-tcp', { port: 70_000, max_message_size: -1 }),
      wanted('b', 'no.such.Input'),
      wanted('c', 'gelf-tcp', { tls_enable: true, tls_cert_file: '/tmp/cert.pem' }),
      wanted('d', 'gelf-udp'),
    ]);
    expect(statusOf('a')).toMatchObject({
      state: 'INVALID_CONFIGURATION',
      detailedMessage:
        'port: must be a port from 0 (any free one) to 65535, not 70000; max_message_size: must be a size from 1b to 32mb in kb, mb, gb or tb, not -1',
    });
    expect(statusOf('b')).toMatchObject({ state: 'INVALID_CONFIGURATION' });
    expect(statusOf('b')?.detailedMessage).toContain('no input type no.such.Input');
    expect(statusOf('c')?.detailedMessage).toContain('tls_key_file');
    expect(statusOf('d')?.state).toBe('RUNNING');
  });

  it('restarts an input that fails while it runs', async () => {
    const contexts: InputContext[] = [];
    host = createHost({ types: withBuiltIn(brittleType((context) => contexts.push(context))) });
    await host.apply([wanted('a', 'brittle'), wanted('b', 'gelf-udp')]);
    const failed = reported('a', 'FAILED');
    const running = reported('a', 'RUNNING');
    contexts[0]?.failed('the socket broke');
    expect((await failed).detailedMessage).toContain('the socket broke');
    await running;
    expect(contexts).toHaveLength(2);
    contexts[0]?.failed('late word of the first instance');
    expect(statusOf('a')?.state).toBe('RUNNING');
    expect(statesOf('b').at(-1)).toBe('RUNNING');
  });

  it('restarts an input that fails while it runs, although its stop fails, too', async () => {
    const contexts: InputContext[] = [];
    const stubborn = brittleType((context) => contexts.push(context), fail);
    host = createHost({ types: withBuiltIn(stubborn) });
    await host.apply([wanted('a', 'brittle')]);
    const running = reported('a', 'RUNNING');
    contexts[0]?.failed('the socket broke');
    await running;
    expect(statesOf('a').slice(-4)).toEqual(['FAILED', 'INITIALIZED', 'STARTING', 'RUNNING']);
    expect(fixture.logLines.join()).toContain('did not stop properly');
  });

  it('is not disturbed by an input whose code is broken', async () => {
    const broken: InputType = {
      ...brittleType(() => undefined),
      id: 'broken',
      wireType: 'test.Broken',
      create() {
        throw new TypeError('a fault in the code');
      },
    };
    host = createHost({ types: withBuiltIn(broken) });
    await host.apply([wanted('a', 'broken'), wanted('b', 'gelf-udp')]);
    expect(statusOf('a')?.state).toBe('FAILED');
    expect(statusOf('b')?.state).toBe('RUNNING');
    await host.apply([wanted('b', 'gelf-udp')]);
    expect(statesOf('a').at(-1)).toBe('TERMINATED');
  });

  it('ends with everything stopped and starts nothing afterwards', async () => {
    await host.apply([wanted('a', 'gelf-udp'), wanted('b', 'gelf-tcp')]);
    await host.stop();
    expect(host.statuses().map(({ state }) => state)).toEqual(['STOPPED', 'STOPPED']);
    await host.apply([wanted('c', 'gelf-udp')]);
    expect(statesOf('c')).toEqual([]);
  });

  it('follows the newest of many wishes that come at once', async () => {
    const wishes = Array.from({ length: 20 }, (_, i) =>
      host.apply([wanted('a', 'gelf-tcp', { max_message_size: i + 1 }, i % 2 === 0)]),
    );
    await Promise.all(wishes);
    expect(statusOf('a')?.state).toBe('STOPPED');
    await host.apply([wanted('a', 'gelf-tcp')]);
    expect(statusOf('a')?.state).toBe('RUNNING');
  });
});

function withBuiltIn(type: InputType) {
  return createComponentRegistry('input', [...INPUT_TYPES.types, type]);
}

async function fail(): Promise<void> {
  throw new Error('it is not running');
}

/** An input without a network whose context the test can get hold of. */
function brittleType(created: (context: InputContext) => void, stop = async () => {}): InputType {
  return defineInputType({
    id: 'brittle',
    wireType: 'test.Brittle',
    name: 'Brittle',
    description: 'For tests.',
    transport: 'tcp',
    codec: gelfCodec,
    fields: {},
    create(context) {
      created(context);
      return { start: async () => ({ address: '127.0.0.1', port: 1 }), stop };
    },
  });
}
