import { sendDatagrams } from '#testing/gelf-senders.ts';
import { inputSuite } from '../input.suite.ts';

inputSuite({
  type: 'gelf-udp',
  transport: 'udp',
  whenFull: 'drops',
  send: sendDatagrams,
  sendGarbage: (port, garbage) => sendDatagrams(port, [garbage]),
});
