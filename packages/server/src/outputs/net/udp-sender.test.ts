import dgram from 'node:dgram';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '#testing/eventually.ts';
import { anOutgoing } from '#testing/outgoing-message.ts';
import { anIdentified } from '#testing/output-fixture.ts';
import { createOutputHostFixture } from '#testing/output-host-fixture.ts';
import { SomeRefusedError } from '../output.ts';
import { createUdpSender } from './udp-sender.ts';

/** More than IP can carry. */
const TOO_LARGE = 70_000;

let socket: dgram.Socket;
const received: Buffer[] = [];

beforeEach(async () => {
  received.length = 0;
  socket = dgram.createSocket('udp4', (datagram) => received.push(datagram));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
});

afterEach(() => void socket.close());

test('a message that the network refuses holds up no other, and none leaves twice', async () => {
  const sender = createUdpSender({ hostname: '127.0.0.1', port: socket.address().port });
  await sender.connect();
  const messages = [Buffer.from('first'), Buffer.alloc(TOO_LARGE), Buffer.from('last')].map((payload) =>
    anOutgoing(payload),
  );
  const error = await sender.send(messages, (payload) => [payload]).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SomeRefusedError);
  expect((error as SomeRefusedError).reasons).toEqual(
    new Map([[1, 'the network takes no datagrams of 70000 bytes']]),
  );
  await until(() => received.length === 2);
  expect(received.map(String)).toEqual(['first', 'last']);
  sender.close();
});

test('an address that cannot be reached is not taken for connected', async () => {
  const sender = createUdpSender({ hostname: '255.255.255.255', port: 514 });
  await expect(sender.connect()).rejects.toThrow(/^cannot send to 255\.255\.255\.255:514: /);
  await expect(sender.send([anOutgoing(Buffer.from('x'))], (payload) => [payload])).rejects.toThrow();
  sender.close();
});

test('a message with too many chunks goes to the failures, the others of its batch arrive once', async () => {
  const fixture = await createOutputHostFixture();
  const output = {
    id: 'o',
    title: 'o',
    type: 'gelf',
    configuration: {
      hostname: '127.0.0.1',
      port: socket.address().port,
      protocol: 'UDP',
      max_datagram_size: 1420,
    },
  };
  await fixture.apply({ ...output, paused: true });
  const long = { padding: 'x'.repeat(200_000) };
  await fixture.routeThese([1, 2, 3, 4].map((number) => anIdentified(number, number === 3 ? long : {})));
  await fixture.apply({ ...output, paused: false });
  await until(() => fixture.report('o').queuedMessages === 0);
  await until(() => received.length >= 3);
  expect(received.map((datagram) => JSON.parse(String(datagram)).short_message)).toEqual([
    'message 1',
    'message 2',
    'message 4',
  ]);
  expect(fixture.refused.map(({ payload }) => JSON.parse(String(payload)).short_message)).toEqual([
    'message 3',
  ]);
  await fixture.close();
});
