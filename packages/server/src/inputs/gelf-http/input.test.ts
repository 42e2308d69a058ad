import { Agent } from 'node:http';
import { sendHttp, sendStream } from '#testing/gelf-senders.ts';
import { inputSuite } from '../input.suite.ts';

inputSuite({
  type: 'gelf-http',
  transport: 'tcp',
  whenFull: 'answers',
  async send(port, messages) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (const message of messages) {
        const { status, body } = await sendHttp(port, message, { agent });
        if (status !== 202) throw new Error(`${status} ${body}`);
      }
    } finally {
      agent.destroy();
    }
  },
  async sendGarbage(port, garbage) {
    await sendHttp(port, garbage);
    await sendStream(port, garbage);
  },
});
