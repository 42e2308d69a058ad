import { defineRetention } from '../strategy.ts';
import { countConfig } from './by-count.ts';

export const deletion = defineRetention({
  id: 'delete',
  className: 'org.graylog2.indexer.retention.strategies.DeletionRetentionStrategy',
  configClassName: 'org.graylog2.indexer.retention.strategies.DeletionRetentionStrategyConfig',
  title: 'Delete index',
  config: countConfig(20),
  action: 'delete',
  keep: (config) => config.max_number_of_indices,
});
