import { type ConfigurationOf, defineFields } from '#core/index.ts';
import { bindFields, connectionFields, streamBufferField, tlsFields } from '../net/fields.ts';

const MIB = 1024 * 1024;

export const gelfTcpFields = defineFields({
  ...bindFields(12201),
  recv_buffer_size: streamBufferField,
  ...connectionFields,
  ...tlsFields,
  use_null_delimiter: {
    type: 'boolean',
    humanName: 'Null frame delimiter',
    description: 'Messages end with a null byte. Otherwise they end with a newline.',
    default: true,
    optional: true,
  },
  max_message_size: {
    type: 'number',
    min: 1,
    max: 32 * MIB,
    humanName: 'Maximum message size',
    description: 'Longest message in bytes. A longer one closes its connection.',
    default: 2 * MIB,
    optional: true,
  },
  idle_timeout: {
    type: 'number',
    min: 0,
    max: 86_400,
    humanName: 'Idle timeout',
    description:
      'Seconds without data after which a connection is closed. 0 keeps it: many senders lose a message when their connection was closed meanwhile.',
    default: 0,
    optional: true,
  },
});

export type GelfTcpConfig = ConfigurationOf<typeof gelfTcpFields>;
