import { once } from 'node:events';
import { connect } from 'node:net';
import { testPlugin } from '@millrace/plugin-api/testing';
import plugin from './index.ts';

const tested = testPlugin(plugin);

async function sendBytes(port: number, bytes: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.end(bytes);
  await once(socket, 'close');
}

tested.codecSuite('key-value', ['signed in user=ada', 'user=ada signed in']);

tested.inputSuite('key-value-tcp', {
  transport: 'tcp',
  whenFull: 'waits',
  send: (port, messages) => sendBytes(port, Buffer.from(messages.map((each) => `${each}\n`).join(''))),
  sendGarbage: sendBytes,
});
