import { type NotificationType, SendFailure, triesAgain } from '#alerts/notifications/index.ts';
import { errorMessage } from '#core/index.ts';
import type { PluginGuard } from '../guard.ts';
import { containComponent } from './component.ts';

/** A notice that a plugin fails to send is tried again like one whose receiver is away. */
export function containNotification(type: NotificationType, guard: PluginGuard): NotificationType {
  const contained = containComponent(type, guard, (sender) => ({
    async send(notice, progress) {
      try {
        return (await guard.run(`sending with ${type.id}`, async () => sender.send(notice, progress))) ?? {};
      } catch (error) {
        throw error instanceof SendFailure ? error : triesAgain(errorMessage(error), error);
      }
    },
  }));
  return {
    ...type,
    ...contained,
    create(context, raw) {
      try {
        return contained.create(context, raw);
      } catch (error) {
        throw triesAgain(errorMessage(error), error);
      }
    },
    normalize: (raw, name) =>
      guard.call(`the check of ${type.id}`, () => type.normalize(raw, name), { evenWhenOff: true }),
  };
}
