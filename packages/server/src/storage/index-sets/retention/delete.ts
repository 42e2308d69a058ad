import { defineRetention } from '../strategy.ts';
import { countFields } from './by-count.ts';

export const deletion = defineRetention({
  id: 'delete',
  wireType: 'org.graylog2.indexer.retention.strategies.DeletionRetentionStrategy',
  configWireType: 'org.graylog2.indexer.retention.strategies.DeletionRetentionStrategyConfig',
  name: 'Delete the oldest',
  description: 'Deletes the oldest indices, so that a limited number stays.',
  fields: countFields(20),
  create: (_context, config) => ({
    action: 'delete',
    keep: config.max_number_of_indices,
    moveAfterDays: config.move_after_days,
  }),
});
