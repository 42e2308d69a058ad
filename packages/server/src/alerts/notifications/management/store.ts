import {
  type AuditLog,
  type Caller,
  type ComponentSecrets,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  newEntityId,
  type RawConfiguration,
  recordAction,
  requireConfiguration,
  requireRevision,
} from '#core/index.ts';
import type { AlertNotificationProperties, AlertNotificationRecord, Metadata } from '#metadata/index.ts';
import type { NotificationType } from '../notification-type.ts';
import { NOTIFICATION_TYPES } from '../registry.ts';
import { SCRIPTS_OFF } from '../types/script/runner.ts';
import { mayCreate } from './copies.ts';
import { auditView, configurationOf, type Face, notificationRevision } from './faces.ts';

export interface NotificationStoreDeps {
  readonly metadata: Metadata;
  readonly secrets: ComponentSecrets;
  readonly audit: AuditLog;
  readonly clock: { now(): number };
  /** Whether an operator has switched scripts on. */
  readonly scriptsEnabled: boolean;
  /** Called when a notification is gone. */
  readonly removed: (id: string) => Promise<void>;
}

/** A notification as a client describes it. */
export interface WantedNotification {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly configuration: RawConfiguration;
  /** The revision that a change was made from. */
  readonly revision?: string | null | undefined;
}

/** Reads and changes stored notifications, whichever face a client uses. */
export interface NotificationStore {
  require(id: string): Promise<AlertNotificationRecord>;
  /** A stream's own. */
  requireOfStream(streamId: string, id: string): Promise<AlertNotificationRecord>;
  create(caller: Caller, face: Face, streamId: string | null, wanted: WantedNotification): Promise<string>;
  change(
    caller: Caller,
    face: Face,
    before: AlertNotificationRecord,
    wanted: WantedNotification,
  ): Promise<void>;
  remove(caller: Caller, record: AlertNotificationRecord): Promise<void>;
  /** The record that `wanted` would become, not stored. */
  unsaved(caller: Caller, face: Face, wanted: WantedNotification): AlertNotificationRecord;
}

export function createNotificationStore(deps: NotificationStoreDeps): NotificationStore {
  const { metadata, secrets, audit, clock } = deps;
  const { alertNotifications } = metadata.repositories;

  function propertiesOf(
    caller: Caller,
    face: Face,
    id: string,
    wanted: WantedNotification,
    before?: AlertNotificationRecord,
  ): AlertNotificationProperties {
    const type = requireType(wanted.type, face);
    if (!mayCreate(caller.principal, type)) {
      throw new ForbiddenError(
        `Creating notifications of the type "${type.name}" needs eventnotifications:create.`,
        { needs: 'eventnotifications:create' },
      );
    }
    if (type.id === 'script' && !deps.scriptsEnabled)
      throw new InvalidError(`Cannot be used: ${SCRIPTS_OFF}.`);
    const raw = configurationOf(type, face, wanted.type, wanted.configuration);
    const kept = secrets.keep(type.fields, raw, storedOf(type, before), prefixOf(face));
    const complete = completed(type, face, kept);
    return {
      title: wanted.title,
      description: wanted.description,
      type: type.id,
      wireType: wanted.type,
      configuration: secrets.encrypt(id, type.fields, complete),
    };
  }

  const find = (id: string) => (id.includes('\0') ? Promise.resolve(undefined) : alertNotifications.find(id));

  return {
    require: async (id) => found(await find(id), id),
    async requireOfStream(streamId, id) {
      const record = await find(id);
      return found(record?.streamId === streamId ? record : undefined, id);
    },
    async create(caller, face, streamId, wanted) {
      const id = newEntityId(clock.now());
      const properties = propertiesOf(caller, face, id, wanted);
      const creator = caller.principal.username;
      const record = await alertNotifications.insert({ ...properties, id, streamId, creator });
      await recordAction(audit, caller, 'notification.create', { objectId: id, after: auditView(record) });
      return id;
    },
    async change(caller, face, before, wanted) {
      const properties = propertiesOf(caller, face, before.id, wanted, before);
      const updated = await alertNotifications.update(before.id, properties, unchangedSince(wanted));
      const after = found(updated, before.id);
      await recordAction(audit, caller, 'notification.update', {
        objectId: before.id,
        before: auditView(before),
        after: auditView(after),
      });
    },
    async remove(caller, record) {
      if (!(await alertNotifications.remove(record.id))) found(undefined, record.id);
      await deps.removed(record.id);
      await recordAction(audit, caller, 'notification.delete', {
        objectId: record.id,
        before: auditView(record),
      });
    },
    unsaved(caller, face, wanted) {
      const now = clock.now();
      const id = newEntityId(now);
      return {
        ...propertiesOf(caller, face, id, wanted),
        id,
        streamId: null,
        creator: caller.principal.username,
        createdAt: now,
        updatedAt: now,
      };
    },
  };
}

function unchangedSince({ revision: wanted }: WantedNotification) {
  return (stored: AlertNotificationRecord): void =>
    requireRevision({
      what: `notification "${stored.title}"`,
      revision: notificationRevision(stored),
      wanted,
    });
}

function found(record: AlertNotificationRecord | undefined, id: string): AlertNotificationRecord {
  if (record === undefined) throw new NotFoundError(`There is no notification with the id ${id}.`);
  return record;
}

function requireType(name: string, face: Face): NotificationType {
  const type = NOTIFICATION_TYPES.find(name);
  if (type !== undefined) return type;
  const known = NOTIFICATION_TYPES.types.map((each) =>
    face === 'callback' ? each.callback.type : each.wireType,
  );
  throw new InvalidError(
    `There is no notification type ${JSON.stringify(name.slice(0, 100))}. Expected one of ${known.join(', ')}.`,
    { path: face === 'callback' ? 'type' : 'config.type' },
  );
}

function storedOf(type: NotificationType, before: AlertNotificationRecord | undefined) {
  if (before === undefined || before.type !== type.id) return undefined;
  return { ownerId: before.id, fields: type.fields, configuration: before.configuration };
}

function completed(type: NotificationType, face: Face, raw: RawConfiguration): RawConfiguration {
  const names = face === 'callback' ? type.callback.names : {};
  return requireConfiguration(type, raw, `a notification by ${type.name}`, {
    prefix: prefixOf(face),
    nameOf(path) {
      const [, first = '', rest = ''] = /^([^.[]*)(.*)$/s.exec(path) ?? [];
      return `${names[first] ?? first}${rest}`;
    },
  });
}

/** Where a request of this face has the configuration. */
function prefixOf(face: Face): string {
  return face === 'callback' ? 'configuration' : 'config';
}
