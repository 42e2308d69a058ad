import type { NotificationList } from '@millrace/contract';
import { readableName } from '../forms/index.ts';

export type SystemNotification = NotificationList['notifications'][number];

const TITLES: Partial<Record<SystemNotification['type'], string>> = {
  deflector_exists_as_index: 'An index has the name of the write alias',
  multi_master: 'Several nodes believe they are the leader',
  no_master: 'There is no leader',
  es_open_files: 'The storage may open too few files',
  es_cluster_red: 'The message storage is not healthy',
  es_unavailable: 'The message storage does not answer',
  no_input_running: 'No input is running',
  input_failed_to_start: 'An input could not start',
  input_newline_delimited: 'A sender ends its messages in another way than the input expects',
  check_server_clocks: 'The clocks of the nodes differ',
  outdated_version: 'There is a newer version',
  email_transport_configuration_invalid: 'The mail settings are wrong',
  email_transport_failed: 'A mail could not be sent',
  stream_processing_disabled: 'A stream was disabled',
  pipeline_rule_disabled: 'A pipeline rule was disabled',
  extractor_disabled: 'An extractor was disabled',
  gc_too_long: 'A node stood still for too long',
  journal_utilization_too_high: 'The journal is filling up',
  journal_uncommitted_messages_deleted: 'Messages were deleted before they were stored',
  output_disabled: 'An output was disabled',
  alert_evaluation_failed: 'An alert condition could not be checked',
  output_failing: 'An output cannot send',
  output_dropped_messages: 'An output dropped messages',
  index_ranges_recalculation: 'Index ranges need to be calculated again',
  alert_notification_failed: 'A notification about an alert could not be sent',
  alert_notifications_held_back: 'There are more alerts than notifications may send',
  plugin_failed: 'A plugin failed',
  plugin_switched_off: 'A plugin was switched off',
};

export function notificationTitle({ type, details }: SystemNotification): string {
  return TITLES[type] ?? textOf(details.title) ?? 'Notification';
}

/** What other systems call what people know by another name. */
const NAMES: Readonly<Record<string, string>> = { exception: 'Reason', gave_up: 'Given up' };

/** The details that are plain values, in words. The id of something whose title is there says nothing more. */
export function notificationDetails({ details }: SystemNotification): [name: string, value: string][] {
  const isSaid = (name: string) => name.endsWith('_id') && `${name.slice(0, -3)}_title` in details;
  return Object.entries(details).flatMap(([name, value]): [string, string][] => {
    const text = value === true ? 'yes' : value === false ? 'no' : textOf(value);
    if (name === 'title' || text === undefined || isSaid(name)) return [];
    return [[NAMES[name] ?? readableName(name.replace(/_title$/, '')), text]];
  });
}

/** The page where something can be done about it; `$` is the detail that follows, an id. */
const PAGES: Partial<Record<SystemNotification['type'], string>> = {
  es_cluster_red: '/index-sets',
  es_unavailable: '/index-sets',
  no_input_running: '/inputs',
  input_failed_to_start: '/inputs/$input_id',
  input_newline_delimited: '/inputs/$input_id',
  email_transport_configuration_invalid: '/alerts/notifications/$notification_id',
  email_transport_failed: '/alerts/notifications/$notification_id',
  alert_notification_failed: '/alerts/notifications/$notification_id',
  alert_notifications_held_back: '/alerts/notifications/$notification_id',
  stream_processing_disabled: '/streams/$stream_id/rules',
  pipeline_rule_disabled: '/pipelines/rules/$rule_id',
  extractor_disabled: '/inputs/$input_id',
  output_disabled: '/outputs/$output_id',
  output_failing: '/outputs/$output_id',
  output_dropped_messages: '/outputs/$output_id',
  plugin_failed: '/system/plugins',
  plugin_switched_off: '/system/plugins',
};

/** Of one without the id that its page needs, the list: the part of the address before the id. */
export function pageOfNotification({ type, details }: SystemNotification): string | undefined {
  const [list, detail = '', rest = ''] = PAGES[type]?.split(/\/\$(\w+)/) ?? [];
  const id = textOf(details[detail]);
  return id === undefined ? list : `${list}/${encodeURIComponent(id)}${rest}`;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
