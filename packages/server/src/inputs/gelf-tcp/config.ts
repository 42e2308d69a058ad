import { type ConfigurationOf, field, types } from '#core/index.ts';
import {
  bindFields,
  connectionFields,
  frameTimeoutField,
  GROUP,
  idleTimeoutField,
  streamBufferField,
  tlsFields,
} from '../net/fields.ts';

const MIB = 1024 * 1024;

export const gelfTcpFields = {
  ...bindFields(12201),
  recv_buffer_size: streamBufferField,
  ...connectionFields,
  ...tlsFields,
  use_null_delimiter: field(types.boolean(), {
    humanName: 'Null frame delimiter',
    description: 'Messages end with a null byte. Otherwise they end with a newline.',
    default: true,
    optional: true,
    group: GROUP.messages,
  }),
  detect_delimiter: field(types.boolean(), {
    humanName: 'Detect the frame delimiter',
    description:
      'The first message of each connection tells whether null bytes or newlines end its messages.',
    default: false,
    optional: true,
    group: GROUP.messages,
  }),
  max_message_size: field(types.size({ min: '1b', max: '32mb' }), {
    humanName: 'Maximum message size',
    description: 'Longest message in bytes. A longer one closes its connection.',
    default: 2 * MIB,
    optional: true,
    group: GROUP.limits,
  }),
  frame_timeout: frameTimeoutField,
  idle_timeout: idleTimeoutField(
    60 * 60 * 1000,
    'Many senders lose a message when they find their connection closed: choose more than the longest pause. ' +
      '0 keeps it open.',
  ),
};

export type GelfTcpConfig = ConfigurationOf<typeof gelfTcpFields>;
