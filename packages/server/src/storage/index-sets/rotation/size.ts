import { z } from 'zod';
import { defineRotation } from '../strategy.ts';

export const size = defineRotation({
  id: 'size',
  className: 'org.graylog2.indexer.rotation.strategies.SizeBasedRotationStrategy',
  configClassName: 'org.graylog2.indexer.rotation.strategies.SizeBasedRotationStrategyConfig',
  title: 'Index size',
  config: z.object({
    max_size: z.int().min(1).default(1_073_741_824).describe('Bytes of an index on disk.'),
  }),
  due: (index, { max_size: limit }) =>
    index.bytes >= limit ? `it has ${index.bytes} bytes, the limit is ${limit}` : undefined,
});
