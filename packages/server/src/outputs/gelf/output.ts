import { createGelfEncoder } from '#codecs/index.ts';
import { delimited, jsonLines } from '../json-encoding.ts';
import { createHttpSender } from '../net/http-sender.ts';
import { createStreamConnection } from '../net/stream-connection.ts';
import { defineOutputType, type Output, type OutputContext } from '../output.ts';
import { type GelfConfig, gelfFields, gelfProblems } from './config.ts';
import { createGelfUdpOutput } from './udp.ts';

const FORWARDER = 'org.graylog2.outputs.GelfOutput';
const NULL_BYTE = 0;
/** A usual batch; larger ones get memory of their own. */
const SEND_BYTES = 512 * 1024;

export const gelfOutput = defineOutputType({
  id: 'gelf',
  wireType: 'org.graylog2.outputs.GelfOutput',
  name: 'GELF',
  description: 'Sends messages to another Millrace or Graylog, or to anything that reads GELF.',
  fields: gelfFields,
  check: gelfProblems,
  encoding: ({ include_server_fields: serverFields }) => ({
    key: `gelf:${serverFields}`,
    create: () => createGelfEncoder({ forwarder: FORWARDER, messageId: true, serverFields }),
  }),
  limits: ({ protocol, bulk }) => (protocol.startsWith('HTTP') && !bulk ? { messages: 1 } : {}),
  retryDelayMs: ({ reconnect_delay }) => reconnect_delay,
  create(context, config) {
    if (config.protocol === 'UDP') return createGelfUdpOutput(config);
    return config.protocol.startsWith('HTTP') ? createHttpOutput(config) : createTcpOutput(context, config);
  },
});

function createTcpOutput(context: OutputContext, config: GelfConfig): Output {
  const connection = createStreamConnection(context, {
    host: config.hostname,
    port: config.port,
    tls: config.protocol === 'TCP+TLS' ? config : undefined,
    connectTimeoutMs: config.connect_timeout,
    noDelay: config.tcp_no_delay,
    keepAlive: config.tcp_keep_alive,
  });
  // One `send` follows the other, and what was written has left the process: the memory is used again.
  let memory: Buffer | undefined;
  return {
    connect: connection.connect,
    send(messages, signal) {
      memory ??= Buffer.allocUnsafeSlow(SEND_BYTES);
      return connection.write(delimited(messages, NULL_BYTE, memory), signal);
    },
    confirmAfterMs: config.resend_window,
    close: connection.close,
  };
}

function createHttpOutput(config: GelfConfig): Output {
  const scheme = config.protocol === 'HTTPS' ? 'https' : 'http';
  const host = config.hostname.includes(':') ? `[${config.hostname}]` : config.hostname;
  const sender = createHttpSender({
    url: `${scheme}://${host}:${config.port}${config.path}`,
    headers: { 'content-type': 'application/json' },
    gzip: config.compression === 'gzip',
    timeoutMs: config.request_timeout,
    tls: config,
  });
  return {
    send: (messages, signal) => sender.send({ body: jsonLines(messages) }, signal),
    async close() {
      sender.close();
      return true;
    },
  };
}
