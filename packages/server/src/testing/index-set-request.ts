export const ROTATION = 'org.graylog2.indexer.rotation.strategies';
export const RETENTION = 'org.graylog2.indexer.retention.strategies';
/** The request of a Graylog 3.0 client. */
export const INDEX_SET_REQUEST = {
  title: 'Web servers',
  description: 'All of them',
  index_prefix: 'web',
  shards: 4,
  replicas: 0,
  rotation_strategy_class: `${ROTATION}.SizeBasedRotationStrategy`,
  rotation_strategy: { type: `${ROTATION}.SizeBasedRotationStrategyConfig`, max_size: 1000 },
  retention_strategy_class: `${RETENTION}.ClosingRetentionStrategy`,
  retention_strategy: { type: `${RETENTION}.ClosingRetentionStrategyConfig`, max_number_of_indices: 7 },
  creation_date: '2026-01-01T00:00:00.000Z',
  index_analyzer: 'standard',
  index_optimization_max_num_segments: 1,
  index_optimization_disabled: false,
  field_type_refresh_interval: 5000,
  writable: true,
};
