import {
  type AuditLog,
  type Caller,
  type Clock,
  type ComponentSecrets,
  newEntityId,
  type Principal,
  recordAction,
} from '#core/index.ts';
import type { AlertNotificationRecord, MetadataScope } from '#metadata/index.ts';
import type { NotificationType } from '../notification-type.ts';
import { NOTIFICATION_TYPES } from '../registry.ts';
import { auditView } from './faces.ts';

/**
 * Gives another stream the notifications of a stream, within a transaction, except those of types that the caller may not
 * create. Resolves with what has to be done when that is committed.
 */
export type CopyNotifications = (
  scope: MetadataScope,
  caller: Caller,
  sourceId: string,
  copyId: string,
) => Promise<() => Promise<void>>;

export interface CopyNotificationsDeps {
  readonly secrets: ComponentSecrets;
  readonly audit: AuditLog;
  readonly clock: Pick<Clock, 'now'>;
}

export function createCopyNotifications({ secrets, audit, clock }: CopyNotificationsDeps): CopyNotifications {
  return async ({ repositories }, caller, sourceId, copyId) => {
    const copies: AlertNotificationRecord[] = [];
    for (const record of await repositories.alertNotifications.listByStream(sourceId)) {
      const type = NOTIFICATION_TYPES.find(record.wireType);
      if (type === undefined || !mayCreate(caller.principal, type)) continue;
      // Secrets are bound to the notification that has them.
      const { configuration } = secrets.decrypt(record.id, type.fields, record.configuration);
      const id = newEntityId(clock.now());
      copies.push(
        await repositories.alertNotifications.insert({
          ...record,
          id,
          streamId: copyId,
          creator: caller.principal.username,
          configuration: secrets.encrypt(id, type.fields, configuration),
        }),
      );
    }
    return async () => {
      for (const record of copies) {
        const { id: objectId } = record;
        await recordAction(audit, caller, 'notification.create', { objectId, after: auditView(record) });
      }
    };
  };
}

export function mayCreate(principal: Pick<Principal, 'can'>, { isPrivileged }: NotificationType): boolean {
  return !isPrivileged || principal.can('eventnotifications:create');
}
