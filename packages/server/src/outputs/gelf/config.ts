import { type ConfigurationOf, type ConfigurationProblem, field, types } from '#core/index.ts';
import {
  connectTimeoutField,
  destinationFields,
  destinationProblems,
  reconnectDelayField,
  requestTimeoutField,
  resendWindowField,
  serverFieldsField,
} from '../net/fields.ts';
import { tlsClientFields, tlsClientProblems } from '../net/tls-client.ts';
import { GROUP } from '../queue-fields.ts';

const over = (...value: string[]) => ({ dependsOn: { field: 'protocol', value } });
const overTcp = over('TCP', 'TCP+TLS');
const overHttp = over('HTTP', 'HTTPS');

/** Names and values are Graylog's where it has them. */
export const gelfFields = {
  ...destinationFields({
    hostDescription: 'Host name or address of the server that receives GELF.',
    portDescription: 'Port of its GELF input.',
    port: 12_201,
  }),
  protocol: field(
    types.choice({ TCP: 'TCP', 'TCP+TLS': 'TCP with TLS', UDP: 'UDP', HTTP: 'HTTP', HTTPS: 'HTTPS' }),
    {
      humanName: 'Protocol',
      description: 'Only HTTP and HTTPS are answered by the destination. UDP may lose messages.',
      default: 'TCP',
    },
  ),
  include_server_fields: serverFieldsField,
  connect_timeout: { ...connectTimeoutField, ...overTcp },
  reconnect_delay: reconnectDelayField,
  resend_window: { ...resendWindowField, ...overTcp },
  tcp_no_delay: field(types.boolean(), {
    humanName: 'TCP no delay',
    description: 'Send small messages at once (turns Nagle’s algorithm off).',
    default: false,
    optional: true,
    group: GROUP.more,
    ...overTcp,
  }),
  tcp_keep_alive: field(types.boolean(), {
    humanName: 'TCP keepalive',
    description: 'Notice a destination that vanished without closing its connection.',
    default: false,
    optional: true,
    group: GROUP.more,
    ...overTcp,
  }),
  ...tlsClientFields({ field: 'protocol', value: ['TCP+TLS', 'HTTPS'] }),
  compression: field(types.choice({ none: 'None', gzip: 'gzip', zlib: 'zlib' }), {
    humanName: 'Compression',
    description: 'For UDP, and gzip for HTTP.',
    default: 'none',
    optional: true,
    group: GROUP.messages,
    ...over('UDP', 'HTTP', 'HTTPS'),
  }),
  max_datagram_size: field(types.size({ min: '128b', max: '65507b' }), {
    humanName: 'Largest datagram',
    description: 'Larger messages are sent in chunks of this many bytes.',
    default: 1420,
    optional: true,
    group: GROUP.messages,
    ...over('UDP'),
  }),
  path: field(types.text({ pattern: /^\//, expected: 'a path that begins with /' }), {
    humanName: 'Path',
    description: 'Path of the GELF input.',
    default: '/gelf',
    optional: true,
    group: GROUP.messages,
    ...overHttp,
  }),
  bulk: field(types.boolean(), {
    humanName: 'Many messages in a request',
    description:
      'One message on each line, as Millrace takes them. Many other servers take only one in a request.',
    default: false,
    optional: true,
    group: GROUP.messages,
    ...overHttp,
  }),
  request_timeout: { ...requestTimeoutField, ...overHttp },
  queue_size: field(types.integer({ min: 1 }), {
    humanName: 'Messages in memory',
    description: 'Accepted for Graylog clients. Messages wait on disk, within the queue size in bytes.',
    default: 512,
    optional: true,
    group: GROUP.more,
  }),
  max_inflight_sends: field(types.integer({ min: 1 }), {
    humanName: 'Concurrent sends',
    description: 'Accepted for Graylog clients. Messages are sent in order.',
    default: 512,
    optional: true,
    group: GROUP.more,
  }),
};

export type GelfConfig = ConfigurationOf<typeof gelfFields>;

export function gelfProblems(config: GelfConfig): ConfigurationProblem[] {
  const problems = [...tlsClientProblems(config), ...destinationProblems(config)];
  if (config.compression === 'zlib' && config.protocol.startsWith('HTTP')) {
    problems.push({ path: 'compression', message: 'must be none or gzip for HTTP' });
  }
  return problems;
}
