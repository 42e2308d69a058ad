import { field, types } from '#core/index.ts';
import { defineRotation, timeToReach } from '../strategy.ts';

export const size = defineRotation({
  id: 'size',
  wireType: 'org.graylog2.indexer.rotation.strategies.SizeBasedRotationStrategy',
  configWireType: 'org.graylog2.indexer.rotation.strategies.SizeBasedRotationStrategyConfig',
  name: 'At a size',
  description: 'Begins a new index when the active one has a size on disk.',
  fields: {
    max_size: field(types.size({ min: '1b' }), {
      humanName: 'Maximum size',
      description: 'Bytes of an index on disk.',
      default: 1_073_741_824,
    }),
  },
  create: (_context, { max_size: limit }) => ({
    due: ({ bytes }) => (bytes >= limit ? `it has ${bytes} bytes, the limit is ${limit}` : undefined),
    limit: { bytes: limit },
    lasts: ({ bytesPerDay }) => timeToReach(limit, bytesPerDay),
  }),
});
