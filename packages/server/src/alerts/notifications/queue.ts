import type { MetadataScope } from '#metadata/index.ts';
import type { AlertNotice, BacklogMessage } from './notice.ts';

/**
 * Where rules put what people must be told.
 *
 * Contract: when `enqueue` resolves (and the transaction it was called in is committed), the notice survives every
 * crash and is delivered at least once by each notification, or its failure is reported. A notice whose id was
 * enqueued before is ignored, so a caller that does not know whether it got that far just says it again. Unknown
 * notifications are ignored: somebody may have removed one.
 */
export interface NoticeQueue {
  /** @param within the caller's transaction: the notice is stored together with what caused it, or not at all */
  enqueue(notice: AlertNotice, notificationIds: readonly string[], within?: MetadataScope): Promise<void>;
}

export interface NoticeQueueDeps {
  readonly metadata: MetadataScope;
  /** Called when something was added; the delivery looks at once instead of at its next turn. */
  readonly added?: () => void;
}

/** The backlog of a notice has at most this size as JSON; what does not fit is left out, oldest first. */
const MAX_BACKLOG_CHARACTERS = 512 * 1024;
const MAX_DESCRIPTION_LENGTH = 1000;

export function createNoticeQueue(deps: NoticeQueueDeps): NoticeQueue {
  return {
    async enqueue(notice, notificationIds, within = deps.metadata) {
      const { alertNotifications, alertDeliveries } = within.repositories;
      const known = await alertNotifications.findMany([...new Set(notificationIds)]);
      const notifications = known.filter(
        ({ configuration }) => notice.kind !== 'resolved' || configuration.send_resolved === true,
      );
      if (notifications.length === 0) return;
      const isNew = await alertDeliveries.enqueue(
        {
          id: notice.id,
          kind: notice.kind,
          ruleId: notice.rule.id,
          ruleTitle: notice.rule.title,
          alertId: notice.alertId,
          streamIds: notice.streams.map(({ id }) => id),
          description: notice.resultDescription.slice(0, MAX_DESCRIPTION_LENGTH),
          content: { ...notice, backlog: withinBound(notice.backlog) },
        },
        notifications.map(({ id, type, title }) => ({
          notificationId: id,
          notificationType: type,
          notificationTitle: title,
        })),
      );
      // Inside of a transaction nobody sees it yet; the next turn of the delivery does.
      if (isNew && within === deps.metadata) deps.added?.();
    },
  };
}

function withinBound(backlog: readonly BacklogMessage[]): readonly BacklogMessage[] {
  let characters = 0;
  const tooMuch = backlog.findIndex((message) => {
    characters += JSON.stringify(message).length;
    return characters > MAX_BACKLOG_CHARACTERS;
  });
  return tooMuch === -1 ? backlog : backlog.slice(0, tooMuch);
}
