import { type ConfigurationOf, field, types } from '#core/index.ts';
import { bindFields, decompressionField, GROUP } from '../net/fields.ts';

const MIB = 1024 * 1024;

export const gelfUdpFields = {
  ...bindFields(12201),
  recv_buffer_size: field(types.size({ min: '0b', max: '1gb' }), {
    humanName: 'Receive buffer size',
    description: 'Receive buffer of the socket in bytes. 0 takes what the setting udp_recvbuffer_sizes says.',
    default: 0,
    optional: true,
    group: GROUP.limits,
  }),
  decompress_size_limit: decompressionField('message', { default: 8 * MIB, max: '32mb' }),
};

export type GelfUdpConfig = ConfigurationOf<typeof gelfUdpFields>;
