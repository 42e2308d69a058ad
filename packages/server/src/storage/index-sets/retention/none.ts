import { defineRetention } from '../strategy.ts';
import { countFields } from './by-count.ts';

export const none = defineRetention({
  id: 'none',
  wireType: 'org.graylog2.indexer.retention.strategies.NoopRetentionStrategy',
  configWireType: 'org.graylog2.indexer.retention.strategies.NoopRetentionStrategyConfig',
  name: 'Keep all',
  description: 'Keeps all indices.',
  fields: countFields(2_147_483_647, { hasNoEffect: true }),
  create: (_context, config) => ({
    action: undefined,
    keep: config.max_number_of_indices,
    moveAfterDays: config.move_after_days,
  }),
});
