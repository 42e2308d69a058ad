import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { until } from '#testing/eventually.ts';
import { anIdentified, anOutput, outputProblems } from '#testing/output-fixture.ts';

const signal = new AbortController().signal;

test('over TCP each message begins with its length', async () => {
  let received = '';
  const server = net.createServer((socket) => {
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      received += text;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const { output, send } = anOutput('syslog', { hostname: '127.0.0.1', port, send_fields: false });
  await output.connect?.(signal);
  await send(anIdentified(1, { message: 'ä\nb' }), anIdentified(2, { message: 'c' }));
  const first = '<14>1 2026-01-01T00:00:00.000Z web-1 millrace - - - ä\nb';
  const second = '<14>1 2026-01-01T00:00:00.000Z web-1 millrace - - - c';
  const expected = `${Buffer.byteLength(first)} ${first}${Buffer.byteLength(second)} ${second}`;
  await until(() => received.length >= expected.length);
  expect(received).toBe(expected);
  await output.close(AbortSignal.timeout(5000));
  server.close();
});

test('over UDP a message is a datagram, cut between characters when it is too long', async () => {
  const received: string[] = [];
  const socket = dgram.createSocket('udp4', (datagram) => received.push(datagram.toString('utf8')));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  const configuration = {
    hostname: '127.0.0.1',
    port,
    protocol: 'UDP',
    send_fields: false,
    max_datagram_size: 481,
  };
  const { output, send } = anOutput('syslog', configuration);
  await output.connect?.(signal);
  await send(anIdentified(1, { message: 'short' }), anIdentified(2, { message: 'ä'.repeat(500) }));
  await until(() => received.length === 2);
  expect(received[0]).toMatch(/ - short$/);
  expect(received[1]).toMatch(/ - ä+$/);
  expect(Buffer.byteLength(received[1] ?? '')).toBeGreaterThanOrEqual(480);
  await output.close(AbortSignal.timeout(5000));
  socket.close();
});

test('over UDP a message with more fields than fit is sent without them, with its text', async () => {
  const received: string[] = [];
  const socket = dgram.createSocket('udp4', (datagram) => received.push(datagram.toString('utf8')));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  const { output, send } = anOutput('syslog', {
    hostname: '127.0.0.1',
    port,
    protocol: 'UDP',
    max_datagram_size: 481,
  });
  await output.connect?.(signal);
  const many = 'a "b" ] \\ '.repeat(100);
  await send(
    anIdentified(1, { message: 'few', few: 'a ]' }),
    anIdentified(2, { message: 'the text ] stays', many }),
    anIdentified(3, { message: 'ä'.repeat(500), many }),
  );
  await until(() => received.length === 3);
  expect(received[0]).toMatch(/ - - \[millrace@32473 id="\w+" few="a \\\]"\] few$/);
  expect(received[1]).toBe('<14>1 2026-01-01T00:00:00.000Z web-1 millrace - - - the text ] stays');
  expect(received[2]).toMatch(/ millrace - - - ä+$/);
  expect(Buffer.byteLength(received[2] ?? '')).toBeGreaterThanOrEqual(480);
  await output.close(AbortSignal.timeout(5000));
  socket.close();
});

test('configurations are checked', () => {
  const hostname = 'logs.example.org';
  expect(outputProblems('syslog', { hostname })).toEqual([]);
  expect(outputProblems('syslog', { hostname, port: 0 })).toEqual([
    'port must be the port of the destination, not 0',
  ]);
  expect(outputProblems('syslog', { hostname, structured_data_id: 'a b' })).toHaveLength(1);
  expect(outputProblems('syslog', { hostname, facility: 'mill' })).toHaveLength(1);
});
