import { expect, test } from 'vitest';
import { settingInWords } from './setting-units.ts';

test('sizes and times of settings are also shown with a unit', () => {
  const f = (name: string, value: number, expected: string | undefined) =>
    expect(settingInWords(name, value)?.replaceAll('\u202f', ' ')).toBe(expected);
  f('message_journal_max_size', 5_368_709_120, '5.37 GB');
  f('udp_recvbuffer_sizes', 4_194_304, '4.19 MB');
  f('session_timeout', 28_800_000, '8 h');
  f('message_journal_max_age', 43_200_000, '12 h');
  f('alert_check_interval', 60_000, '1 min');
  f('alert_check_interval', 5_400_000, '1 h 30 min');
  f('stream_processing_timeout', 2000, '2 s');
  f('message_journal_flush_age', 5, '5 ms');
  f('message_journal_max_age', 172_800_000, '2 d');
  f('lb_throttle_threshold_percentage', 90, '90 %');
  f('processing_workers', 1, undefined);
  f('stream_processing_max_faults', 3, undefined);
});
