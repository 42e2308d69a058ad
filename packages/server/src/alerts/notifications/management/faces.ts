/** A notification as clients see it: as an alarm callback of a stream, and as an event notification. */
import {
  type AlarmCallback,
  type EventNotification,
  formatTimestamp,
  type NotificationTypeView,
} from '@millrace/contract';
import {
  PASSWORD_SET,
  type RawConfiguration,
  type RequestedField,
  redactConfiguration,
  requestedConfiguration,
  revisionOf,
} from '#core/index.ts';
import type { AlertNotificationRecord } from '#metadata/index.ts';
import type { NotificationType } from '../notification-type.ts';
import { NOTIFICATION_TYPES } from '../registry.ts';

export type Face = 'callback' | 'event';

/** The same for both faces. */
export function notificationRevision(record: AlertNotificationRecord): string {
  const { title, description, type, configuration } = record;
  return revisionOf([title, description, type, configuration]);
}

export function callbackView(record: AlertNotificationRecord): AlarmCallback & { stream_id: string } {
  const type = NOTIFICATION_TYPES.find(record.type);
  return {
    id: record.id,
    stream_id: record.streamId ?? '',
    type: type?.callback.type ?? record.wireType,
    title: record.title === '' ? null : record.title,
    configuration: type === undefined ? {} : renamed(shown(type, record), type.callback.names),
    created_at: formatTimestamp(record.createdAt),
    creator_user_id: record.creator,
    revision: notificationRevision(record),
  };
}

export function eventView(record: AlertNotificationRecord): EventNotification {
  return { ...auditView(record), revision: notificationRevision(record) };
}

export function auditView(record: AlertNotificationRecord): Omit<EventNotification, 'revision'> {
  const type = NOTIFICATION_TYPES.find(record.type);
  // One that was created as an alarm callback has that name.
  const name =
    type === undefined || record.wireType === type.callback.type ? type?.wireType : record.wireType;
  return {
    id: record.id,
    title: record.title,
    description: record.description,
    config: { ...(type && shown(type, record)), type: name ?? record.wireType },
    stream_id: record.streamId,
    created_at: formatTimestamp(record.createdAt),
    creator_user_id: record.creator,
  };
}

export function typeView(type: NotificationType, face: Face, isEnabled: boolean): NotificationTypeView {
  const fields = requestedConfiguration(type.fields);
  return {
    type: face === 'callback' ? type.callback.type : type.wireType,
    name: type.name,
    description: type.description,
    requested_configuration:
      face === 'callback' ? (renamed(fields, type.callback.names) as Record<string, RequestedField>) : fields,
    is_enabled: isEnabled,
  };
}

function shown(type: NotificationType, { configuration }: AlertNotificationRecord): Record<string, unknown> {
  return redactConfiguration(type.fields, configuration);
}

/** What a client sent, under the names of the fields. */
export function configurationOf(
  type: NotificationType,
  face: Face,
  wireType: string,
  raw: RawConfiguration,
): RawConfiguration {
  const own: Record<string, unknown> = {};
  const names = new Map(Object.entries(type.callback.names).map(([name, there]) => [there, name]));
  for (const [name, value] of Object.entries(raw)) {
    const field = face === 'callback' ? (names.get(name) ?? name) : name;
    own[field] = type.fields[field]?.type.secret ? secretOf(value) : value;
  }
  return type.normalize(own, wireType);
}

/** Newer clients of Graylog say in an object what should happen to a secret. */
function secretOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('set_value' in value) return value.set_value;
  if ('keep_value' in value && value.keep_value === true) return PASSWORD_SET;
  if ('is_set' in value) return value.is_set === true ? PASSWORD_SET : undefined;
  return undefined;
}

function renamed(
  record: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value]));
}
