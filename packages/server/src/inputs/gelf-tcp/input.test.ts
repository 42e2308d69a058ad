import { sendStream } from '#testing/gelf-senders.ts';
import { inputSuite } from '../input.suite.ts';

const NULL_BYTE = Buffer.from([0]);

inputSuite({
  type: 'gelf-tcp',
  transport: 'tcp',
  whenFull: 'waits',
  send: (port, messages) => sendStream(port, Buffer.concat(messages.flatMap((each) => [each, NULL_BYTE]))),
  sendGarbage: (port, garbage) => sendStream(port, garbage),
});
