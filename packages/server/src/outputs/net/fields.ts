import { type ConfigurationOf, type ConfigurationProblem, field, types } from '#core/index.ts';
import type { BatchLimits } from '../output.ts';
import { GROUP } from '../queue-fields.ts';

export const serverFieldsField = field(types.boolean(), {
  humanName: 'Send fields of this server',
  description:
    'Also send which input received a message from which address (gl2_*), and its streams. Otherwise only the fields of the message itself.',
  default: false,
  optional: true,
  group: GROUP.messages,
});

/** Where the destination is. Names are Graylog's. */
export function destinationFields(texts: {
  readonly hostDescription: string;
  readonly portDescription: string;
  readonly port: number;
}) {
  return {
    hostname: field(types.host(), {
      humanName: 'Destination host',
      description: texts.hostDescription,
      placeholder: 'logs.example.org',
    }),
    port: field(types.port(), {
      humanName: 'Destination port',
      description: texts.portDescription,
      default: texts.port,
    }),
  };
}

export function destinationProblems({ port }: { readonly port: number }): ConfigurationProblem[] {
  return port === 0 ? [{ path: 'port', message: 'must be the port of the destination, not 0' }] : [];
}

/** Milliseconds in the API, as in Graylog. */
export const connectTimeoutField = field(types.duration({ min: '1ms', max: '5m', bareUnit: 'ms' }), {
  humanName: 'Connect timeout',
  description: 'Milliseconds within which the destination must accept a connection.',
  default: 5000,
  optional: true,
  group: GROUP.more,
});

/** Milliseconds in the API, as in Graylog. */
export const reconnectDelayField = field(types.duration({ min: '1ms', max: '5m', bareUnit: 'ms' }), {
  humanName: 'Reconnect delay',
  description:
    'Milliseconds before the first new attempt after a failure. It doubles with each one, up to 15 s.',
  default: 500,
  optional: true,
  group: GROUP.more,
});

export const resendWindowField = field(types.duration({ min: '0s', max: '1h', bareUnit: 's' }), {
  humanName: 'Resend window',
  description:
    'Seconds of messages that are sent again after a TCP connection broke, because the protocol does not say what arrived.',
  default: 2000,
  optional: true,
  group: GROUP.more,
});

export const requestTimeoutField = field(types.duration({ min: '100ms', max: '10m', bareUnit: 's' }), {
  humanName: 'Request timeout',
  description: 'Seconds within which the server must answer a request.',
  default: 30_000,
  optional: true,
  group: GROUP.more,
});

export const compressionField = field(types.choice({ none: 'None', gzip: 'gzip' }), {
  humanName: 'Compression',
  description: 'gzip makes requests about ten times smaller and costs processor time.',
  default: 'gzip',
  optional: true,
  group: GROUP.batches,
});

/** How many messages are sent together. Graylog has no such fields; sizes are bytes, times seconds. */
export function batchFields(defaults: {
  readonly messages: number;
  readonly bytes: number;
  readonly waitMs: number;
}) {
  return {
    batch_max_messages: field(types.integer({ min: 1, max: 100_000 }), {
      humanName: 'Messages in a batch',
      description: 'At most this many messages are sent together.',
      default: defaults.messages,
      optional: true,
      group: GROUP.batches,
    }),
    batch_max_size: field(types.size({ min: '1kb', max: '64mb' }), {
      humanName: 'Bytes in a batch',
      description:
        'A batch is sent when its messages have this many bytes before compression. It may be larger by the last messages.',
      default: defaults.bytes,
      optional: true,
      group: GROUP.batches,
    }),
    batch_wait: field(types.duration({ min: '0s', max: '1h', bareUnit: 's' }), {
      humanName: 'Wait for a batch',
      description: 'Seconds that a message waits at most for others. 0: it is sent at once.',
      default: defaults.waitMs,
      optional: true,
      group: GROUP.batches,
    }),
  };
}

type BatchConfig = ConfigurationOf<ReturnType<typeof batchFields>>;

export function batchLimits(config: BatchConfig): BatchLimits {
  return {
    messages: config.batch_max_messages,
    bytes: config.batch_max_size,
    lingerMs: config.batch_wait,
  };
}
