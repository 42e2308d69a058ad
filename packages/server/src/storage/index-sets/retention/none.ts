import { defineRetention } from '../strategy.ts';
import { countConfig } from './by-count.ts';

export const none = defineRetention({
  id: 'none',
  className: 'org.graylog2.indexer.retention.strategies.NoopRetentionStrategy',
  configClassName: 'org.graylog2.indexer.retention.strategies.NoopRetentionStrategyConfig',
  title: 'Do nothing',
  config: countConfig(2_147_483_647),
  action: undefined,
  keep: (config) => config.max_number_of_indices,
});
