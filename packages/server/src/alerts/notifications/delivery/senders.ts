import { type ComponentSecrets, InvalidConfiguration, unreadableSecrets } from '#core/index.ts';
import type { AlertNotificationRecord } from '#metadata/index.ts';
import type { NotificationContext } from '../notification-type.ts';
import { NOTIFICATION_TYPES } from '../registry.ts';
import { givesUp, type NotificationSender } from '../sending.ts';

/** Makes the sender of a stored notification. Throws a `SendFailure` that says why there can be none. */
export function createSender(
  deps: { readonly context: NotificationContext; readonly secrets: ComponentSecrets },
  { id, type: typeName, configuration: stored }: AlertNotificationRecord,
): NotificationSender {
  const type = NOTIFICATION_TYPES.find(typeName);
  if (type === undefined) {
    throw givesUp(`this version of Millrace has no notifications of type ${JSON.stringify(typeName)}`);
  }
  const { configuration, unreadable } = deps.secrets.decrypt(id, type.fields, stored);
  if (unreadable.length > 0) throw givesUp(unreadableSecrets(unreadable), { isSetup: true });
  const sender = type.create(deps.context, configuration);
  if (sender instanceof InvalidConfiguration) throw givesUp(sender.text);
  return sender;
}
