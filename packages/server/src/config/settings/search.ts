import { types } from '#core/index.ts';
import { derived, withDefault } from '../setting.ts';

export const searchSettings = {
  search_timeout: withDefault(
    types.duration({ min: '1s', max: '1h', bareUnit: 's' }),
    '60s',
    'How long one search may take before it is cancelled.',
  ),
  search_export_timeout: withDefault(
    types.duration({ min: '1s', max: '7d', bareUnit: 's' }),
    '6h',
    'How long one export may take before it is stopped, including the time the client takes to read it.',
  ),
  search_max_memory: derived(
    types.size({ min: '64mb', max: '1024tb' }),
    'half of clickhouse_max_memory',
    'How much memory one search may use in ClickHouse before it is cancelled.',
    { example: '1gb' },
  ),
  search_max_parallel: withDefault(
    types.integer({ min: 1, max: 1000 }),
    '8',
    'How many searches of one user run at the same time. Further ones wait for a moment and are then answered with 429.',
  ),
  live_tail_max_followers: withDefault(
    types.integer({ min: 1, max: 10_000 }),
    '200',
    'How many live tails may be open on this node at the same time.',
  ),
  live_tail_max_followers_per_user: withDefault(
    types.integer({ min: 1, max: 10_000 }),
    '20',
    'How many of them may belong to one user.',
  ),
  query_time_range_limit: withDefault(
    types.duration({ min: '0s', max: '100000d', bareUnit: 's' }),
    '0s',
    'How far back searches may look; time ranges that begin earlier are shortened. 0 for no limit.',
  ),
};
