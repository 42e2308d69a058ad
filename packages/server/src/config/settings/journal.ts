import { types } from '#core/index.ts';
import { derived, withDefault } from '../setting.ts';

export const journalSettings = {
  message_journal_dir: derived(
    types.filePath(),
    'journal in data_dir',
    'Where accepted messages wait on disk until they are stored.',
  ),
  message_journal_max_size: withDefault(
    types.size({ min: '1mb', max: '1024tb' }),
    '5gb',
    'How much disk space the journal of this node may use.',
  ),
  message_journal_max_age: withDefault(
    types.duration({ min: '1m', max: '3650d' }),
    '12h',
    'How long messages stay in the journal after they were stored. Others are never removed by age.',
  ),
  message_journal_segment_size: withDefault(
    types.size({ min: '64kb', max: '1gb' }),
    '100mb',
    'A journal file is closed when it reaches this size.',
  ),
  message_journal_segment_age: withDefault(
    types.duration({ min: '1s', max: '30d' }),
    '1h',
    'A journal file is closed when it reaches this age.',
  ),
  message_journal_flush_age: withDefault(
    types.duration({ min: '0ms', max: '1m' }),
    '5ms',
    'Messages are collected for at most this long before they are written and synced to disk together. Senders over GELF HTTP are answered after that, or earlier: as soon as all that were answered together last have sent again.',
  ),
  message_journal_full_policy: withDefault(
    types.oneOf(['block', 'drop_oldest']),
    'block',
    'When the journal is full: let senders wait, or drop the oldest messages as Graylog does.',
  ),
  lb_throttle_threshold_percentage: withDefault(
    types.integer({ min: 1, max: 100 }),
    '90',
    'When the journal is this full, load balancers are told that the node is throttled.',
  ),
};
