import { type ConfigurationOf, defineFields } from '#core/index.ts';
import { bindFields, decompressionField } from '../net/fields.ts';

export const gelfUdpFields = defineFields({
  ...bindFields(12201),
  recv_buffer_size: {
    type: 'number',
    min: 0,
    max: 1024 ** 3,
    humanName: 'Receive buffer size',
    description: 'Receive buffer of the socket in bytes. 0 takes what the setting udp_recvbuffer_sizes says.',
    default: 0,
    optional: true,
  },
  decompress_size_limit: decompressionField,
});

export type GelfUdpConfig = ConfigurationOf<typeof gelfUdpFields>;
