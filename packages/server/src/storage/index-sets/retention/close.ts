import { defineRetention } from '../strategy.ts';
import { countFields } from './by-count.ts';

export const closing = defineRetention({
  id: 'close',
  wireType: 'org.graylog2.indexer.retention.strategies.ClosingRetentionStrategy',
  configWireType: 'org.graylog2.indexer.retention.strategies.ClosingRetentionStrategyConfig',
  name: 'Close the oldest',
  description: 'Closes the oldest indices: they stay on disk, and searches leave them out.',
  fields: countFields(20),
  create: (_context, config) => ({
    action: 'close',
    keep: config.max_number_of_indices,
    moveAfterDays: config.move_after_days,
  }),
});
