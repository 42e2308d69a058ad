import { NOTIFICATION_TYPES } from '@millrace/contract';
import { expect, test } from 'vitest';
import { adviceFor } from './advice.ts';
import { notificationDetails, pageOfNotification, type SystemNotification } from './notifications.ts';

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

test('details are words; an id beside its title is left out', () => {
  const details = {
    title: 'a',
    output_id: '6afb',
    output_title: 'Archive',
    exception: 'refused',
    gave_up: true,
  };
  expect(notificationDetails({ details } as unknown as SystemNotification)).toEqual([
    ['Output', 'Archive'],
    ['Reason', 'refused'],
    ['Given up', 'yes'],
  ]);
  const alone = { details: { input_id: '5c3b', more: { deep: 1 } } } as unknown as SystemNotification;
  expect(notificationDetails(alone)).toEqual([['Input id', '5c3b']]);
});

test('every notification says what to do about it', () => {
  const unsaid = NOTIFICATION_TYPES.filter((type) => adviceFor({ type }) === adviceFor({ type: 'generic' }));
  expect(unsaid).toEqual(['generic']);
});
