import { NOTIFICATION_TYPES } from '@millrace/contract';
import { expect, test } from 'vitest';
import { adviceFor } from './advice.ts';
import { pageOfNotification, type SystemNotification } from './notifications.ts';

test('a notification leads to what it is about', () => {
  const pageOf = (type: SystemNotification['type'], details: SystemNotification['details'] = {}) =>
    pageOfNotification({ type, details } as SystemNotification);
  expect(pageOf('output_failing', { output_id: 'a1' })).toBe('/outputs/a1');
  expect(pageOf('stream_processing_disabled', { stream_id: 'a/1' })).toBe('/streams/a%2F1/rules');
  expect(pageOf('alert_notification_failed', { notification_id: 'a1' })).toBe('/alerts/notifications/a1');
  // Without an id, to the list.
  expect(pageOf('input_failed_to_start')).toBe('/inputs');
  expect(pageOf('no_input_running')).toBe('/inputs');
  expect(pageOf('gc_too_long')).toBeUndefined();
});

test('every notification says what to do about it', () => {
  const unsaid = NOTIFICATION_TYPES.filter((type) => adviceFor({ type }) === adviceFor({ type: 'generic' }));
  expect(unsaid).toEqual(['generic']);
});
