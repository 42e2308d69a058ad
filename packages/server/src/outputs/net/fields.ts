import { field, types } from '#core/index.ts';
import { GROUP } from '../queue-fields.ts';

export const serverFieldsField = field(types.boolean(), {
  humanName: 'Send fields of this server',
  description:
    'Also send which input received a message from which address (gl2_*), and its streams. Otherwise only the fields of the message itself.',
  default: false,
  optional: true,
  group: GROUP.messages,
});

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
