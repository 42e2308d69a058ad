import {
  defineOutput,
  definePlugin,
  field,
  jsonEncoding,
  RefusedError,
  RetryAfterError,
  types,
} from '@millrace/plugin-api';

const TOO_LARGE = 413;
const TOO_MANY = 429;

const output = defineOutput({
  id: 'http-lines',
  name: 'HTTP lines',
  description: 'Posts messages to a web server, one JSON object on each line.',
  fields: {
    url: field(types.httpUri(), {
      humanName: 'URL',
      description: 'Where the messages are posted.',
      placeholder: 'https://logs.example.org/ingest',
    }),
    token: field(types.secret(), {
      humanName: 'Token',
      description: 'Sent as a bearer token.',
      optional: true,
    }),
  },
  encoding: () => jsonEncoding(),
  limits: () => ({ messages: 500, lingerMs: 200 }),
  create: (_context, { url, token }) => ({
    async send(messages, signal) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-ndjson',
          ...(token !== undefined && { authorization: `Bearer ${token.reveal()}` }),
        },
        body: messages.map(({ payload }) => `${payload}\n`).join(''),
        signal,
      });
      await answer.arrayBuffer();
      if (answer.ok) return;
      const text = `the server answered ${answer.status}`;
      // Sent again without end, these messages would hold up all others.
      if (answer.status === 400 || answer.status === TOO_LARGE) throw new RefusedError(text);
      if (answer.status === TOO_MANY) throw new RetryAfterError(text, 10_000);
      // The queue keeps them and tries again.
      throw new Error(text);
    },
    close: async () => true,
  }),
});

export default definePlugin({ components: [output] });
