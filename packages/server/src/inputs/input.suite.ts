import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertComponentTelemetry } from '#testing/component-telemetry.ts';
import { until } from '#testing/eventually.ts';
import { gelf } from '#testing/gelf-senders.ts';
import { createIntakeFixture, type IntakeFixture, TEST_INPUT_ID } from '#testing/intake-fixture.ts';
import { type InputContext, InputStartError, type InputTransport, type InputType } from './input.ts';
import { INPUT_TYPES } from './registry.ts';

export interface InputUnderTest {
  readonly type: string;
  /** What the report calls it when a type is tested in several ways. */
  readonly label?: string;
  readonly context?: Partial<InputContext>;
  /** When the type is not a built-in one. */
  readonly inputType?: InputType;
  readonly transport: InputTransport;
  /** Sends messages as a good sender would, one after the other. Resolves when the sender believes them sent. */
  send(port: number, messages: readonly Buffer[]): Promise<void>;
  /** Sends bytes that make no sense. Resolves when they are gone. */
  sendGarbage(port: number, garbage: Buffer): Promise<void>;
  /** What becomes of messages while the journal is full. */
  readonly whenFull: 'waits' | 'answers' | 'drops';
}

const GARBAGE = [
  Buffer.from('this is no JSON'),
  Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]),
  Buffer.from([0x1e, 0x0f, 1, 2]),
  Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 5, 3, 9]),
  Buffer.from([0x78, 0x9c, 255, 255]),
  Buffer.from('{"short_message":'),
  Buffer.from('[1,2'),
  Buffer.from([0xff, 0xfe, 0xfd]),
  Buffer.from('\r\n\r\n'),
  Buffer.from('GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n'),
];

/** What every input promises, whatever its protocol. See `Input`. */
export function inputSuite(subject: InputUnderTest): void {
  const { type, transport, label = type, context = {} } = subject;
  const types = subject.inputType === undefined ? [] : [subject.inputType];

  describe(`${label} keeps the contract of inputs`, () => {
    let fixture: IntakeFixture;

    beforeEach(async () => {
      fixture = await createIntakeFixture({ context, types });
    });

    afterEach(async () => {
      await fixture.close();
    });

    it('hands messages to the journal, unchanged, in order, with their sender, and counts them', async () => {
      const { port } = await fixture.start(type);
      const messages = Array.from({ length: 50 }, (_, i) => gelf(`message ${i}`, { _number: i }));
      await subject.send(port, messages);
      const frames = await fixture.take(50);
      expect(frames.map((frame) => frame.text)).toEqual(messages.map(String));
      for (const { source } of frames) {
        expect(source).toMatchObject({ inputId: TEST_INPUT_ID, remoteAddress: '127.0.0.1' });
        expect(source.remotePort).toBeGreaterThan(0);
      }
      await fixture.close();
      const bytes = messages.reduce((sum, message) => sum + message.length, 0);
      const amount = { events: 50, bytes };
      assertComponentTelemetry(
        fixture.metrics,
        { kind: 'input', type, id: TEST_INPUT_ID },
        { received: amount, sent: amount },
      );
      expect(fixture.count('org.graylog2.throughput.input')).toBe(50);
      expect(fixture.count('org.graylog2.traffic.input')).toBe(bytes);
    });

    it('survives garbage: the next good message arrives', async () => {
      const { port } = await fixture.start(type);
      for (const [index, garbage] of GARBAGE.entries()) {
        await subject.sendGarbage(port, garbage);
        await subject.send(port, [gelf(`good ${index}`)]);
        const wanted = String(gelf(`good ${index}`));
        let arrived: string | undefined;
        while (arrived !== wanted) arrived = (await fixture.take(1))[0]?.text;
      }
    });

    it('can be stopped before, during and after start, and more than once', async () => {
      const inputType = subject.inputType ?? INPUT_TYPES.find(type)!;
      const create = () => {
        const input = inputType.create(fixture.context(), { bind_address: '127.0.0.1', port: 0 });
        if (!('start' in input)) throw new Error(input.text);
        return input;
      };
      await create().stop();
      const interrupted = create();
      const starting = interrupted.start().catch((error: unknown) => error);
      await interrupted.stop();
      await starting;
      const { input } = await fixture.start(type);
      await Promise.all([input.stop(), input.stop()]);
      await input.stop();
    });

    it('listens again on the same port after a stop', async () => {
      const first = await fixture.start(type);
      await subject.send(first.port, [gelf('before')]);
      await first.input.stop();
      const second = await fixture.start(type, { port: first.port });
      expect(second.port).toBe(first.port);
      await subject.send(second.port, [gelf('after')]);
      const frames = await fixture.take(2);
      expect(frames.map((frame) => frame.text)).toEqual([String(gelf('before')), String(gelf('after'))]);
    });

    it('says which port is in use and leaves nothing behind', async () => {
      const taken = await takePort(transport);
      await expect(fixture.start(type, { port: taken.port })).rejects.toThrow(InputStartError);
      await expect(fixture.start(type, { port: taken.port })).rejects.toThrow(
        `cannot listen on ${transport.toUpperCase()} 127.0.0.1:${taken.port}: the port is in use`,
      );
      await taken.release();
      await fixture.start(type, { port: taken.port });
    });

    it('says that the machine does not have an address', async () => {
      await expect(fixture.start(type, { bind_address: '203.0.113.1', port: 12201 })).rejects.toThrow(
        'this machine does not have the address 203.0.113.1',
      );
    });

    it('shares a port with the other workers of a node', async () => {
      const first = await fixture.start(type, {}, { shared: true });
      const second = await fixture.start(type, { port: first.port }, { shared: true });
      expect(second.port).toBe(first.port);
      await subject.send(first.port, [gelf('to one of them')]);
      await fixture.take(1);
    });

    it(`${subject.whenFull} while the journal is full, and continues when there is room`, async () => {
      await fixture.close();
      fixture = await createIntakeFixture({ journalBytes: 64 * 1024, context, types });
      const { port } = await fixture.start(type);
      const text = 'x'.repeat(4000);
      const messages = Array.from({ length: 50 }, (_, i) => gelf(text, { _number: i }));
      const sending = subject.send(port, messages).catch((error: unknown) => error);
      const events = (name: string) =>
        fixture.count(`millrace.component.input.${type}.${TEST_INPUT_ID}.${name}.events`);
      if (subject.whenFull === 'waits') {
        const frames = await fixture.take(messages.length);
        expect(frames.map((frame) => frame.text)).toEqual(messages.map(String));
        await sending;
        expect(events('dropped.journal_full')).toBe(0);
        return;
      }
      await sending;
      if (subject.whenFull === 'drops') await until(() => events('received') === messages.length);
      expect(events('dropped.journal_full')).toBeGreaterThan(0);
      const accepted = fixture.journal.writer.nextOffset;
      expect(accepted).toBeGreaterThan(0);
      expect(accepted).toBe(events('sent'));
      const arrived = (await fixture.take(accepted)).map((frame) => frame.text);
      expect(arrived).toEqual(messages.map(String).filter((message) => arrived.includes(message)));
      await until(() => fixture.journal.writer.refusal === undefined);
      await subject.send(port, [gelf('there is room')]);
      const [last] = await fixture.take(1);
      expect(last?.text).toBe(String(gelf('there is room')));
    });

    it('keeps what was read before it was stopped', async () => {
      const { input, port } = await fixture.start(type);
      const messages = Array.from({ length: 100 }, (_, i) => gelf(`message ${i}`));
      await subject.send(port, messages);
      await input.stop();
      const frames = await fixture.take(100);
      expect(frames.map((frame) => frame.text)).toEqual(messages.map(String));
    });
  });
}

async function takePort(transport: InputTransport) {
  if (transport === 'udp') {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    return { port, release: () => new Promise<void>((resolve) => socket.close(resolve)) };
  }
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, release: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}
