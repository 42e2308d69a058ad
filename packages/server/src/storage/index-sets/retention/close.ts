import { defineRetention } from '../strategy.ts';
import { countConfig } from './by-count.ts';

export const closing = defineRetention({
  id: 'close',
  className: 'org.graylog2.indexer.retention.strategies.ClosingRetentionStrategy',
  configClassName: 'org.graylog2.indexer.retention.strategies.ClosingRetentionStrategyConfig',
  title: 'Close index',
  config: countConfig(20),
  action: 'close',
  keep: (config) => config.max_number_of_indices,
});
