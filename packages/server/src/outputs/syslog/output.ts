import { createSyslogEncoder, SYSLOG_FACILITIES, shortenSyslog } from '#codecs/index.ts';
import { createStreamConnection } from '../net/stream-connection.ts';
import { createUdpSender } from '../net/udp-sender.ts';
import { defineOutputType, type OutgoingMessage, type Output, type OutputContext } from '../output.ts';
import { type SyslogConfig, syslogFields, syslogProblems } from './config.ts';

export const syslogOutput = defineOutputType({
  id: 'syslog',
  wireType: 'syslog',
  name: 'Syslog',
  description: 'Sends messages to a syslog server such as rsyslog or syslog-ng, as RFC 5424.',
  fields: syslogFields,
  check: syslogProblems,
  encoding(config) {
    const options = {
      facility: SYSLOG_FACILITIES.indexOf(config.facility),
      appName: config.app_name,
      structuredDataId: config.send_fields ? config.structured_data_id : undefined,
    };
    return { key: `syslog:${JSON.stringify(options)}`, create: () => createSyslogEncoder(options) };
  },
  retryDelayMs: ({ reconnect_delay }) => reconnect_delay,
  create: (context, config) =>
    config.protocol === 'UDP' ? createUdpOutput(config) : createTcpOutput(context, config),
});

function createTcpOutput(context: OutputContext, config: SyslogConfig): Output {
  const connection = createStreamConnection(context, {
    host: config.hostname,
    port: config.port,
    tls: config.protocol === 'TCP+TLS' ? config : undefined,
    connectTimeoutMs: config.connect_timeout,
    noDelay: false,
    keepAlive: true,
  });
  return {
    connect: connection.connect,
    send: (messages, signal) => connection.write(octetCounted(messages), signal),
    confirmAfterMs: config.resend_window,
    close: connection.close,
  };
}

function createUdpOutput(config: SyslogConfig): Output {
  const sender = createUdpSender(config);
  return {
    connect: sender.connect,
    send: (messages) =>
      sender.send(messages, (payload) => [shortenSyslog(payload, config.max_datagram_size)]),
    async close() {
      sender.close();
      return true;
    },
  };
}

/** `LENGTH SP MESSAGE`, as RFC 6587 has it: texts may contain line feeds. */
function octetCounted(messages: readonly OutgoingMessage[]): Buffer {
  const parts: Buffer[] = [];
  for (const { payload } of messages) parts.push(Buffer.from(`${payload.length} `), payload);
  return Buffer.concat(parts);
}
