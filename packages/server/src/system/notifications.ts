import { NOTIFICATION_TYPES, type NotificationList, type NotificationType } from '@millrace/contract';
import { errorMessage, InvalidError } from '#core/index.ts';
import type { NotificationsRepository } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';

export interface NotificationContent {
  readonly type: NotificationType;
  /** Tells several notifications of a type apart: the id of an input or output. */
  readonly key?: string;
  readonly severity?: 'normal' | 'urgent';
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * What needs an operator's attention, for the whole cluster.
 *
 * Contract: `publish` and `fix` are for the parts of the node that detect a problem and its end. They never reject: a
 * failed report must not break the work it reports on. Publishing a notification again only updates its details.
 */
export interface Notifications {
  /** True if it is new. */
  publish(notification: NotificationContent): Promise<boolean>;
  /** The problem is solved. True if there was such a notification. */
  fix(type: NotificationType, key?: string): Promise<boolean>;
  /** Newest first. */
  list(): Promise<NotificationList['notifications']>;
  /** Removes all notifications of a type, at an operator's request. Refuses unknown types. */
  remove(type: string): Promise<void>;
}

export interface NotificationsOfNode extends Notifications {
  /**
   * Stores what is about this node and could not be stored before: whoever noticed it does not say it again. Rejects while
   * that still fails. Notifications that other nodes publish and fix too are left out: they may know better by now.
   */
  retry(): Promise<void>;
}

/** Whether a node has published it about itself: then its id is a part of the key, and no other node fixes it. */
export function isAboutNode(key: string | null, nodeId: string): boolean {
  return key?.split(/[:/]/).includes(nodeId) ?? false;
}

/** One word on a notification: that it is there, or that it is not. */
interface Word {
  readonly type: NotificationType;
  readonly key: string;
  /** For the log. */
  readonly action: string;
  readonly store: () => Promise<boolean>;
}

export function createNotifications(
  deps: { readonly notifications: NotificationsRepository; readonly logger: Logger },
  settings: { readonly nodeId: string },
): NotificationsOfNode {
  const logger = deps.logger.child({ component: 'notifications' });
  const lastWords = createLastWords();

  async function say(word: Word): Promise<boolean> {
    const isOwn = isAboutNode(word.key, settings.nodeId);
    try {
      return await (isOwn ? lastWords.say(word) : word.store());
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, `a notification could not be ${word.action}`);
      return false;
    }
  }

  return {
    publish: ({ type, key = '', severity = 'normal', details = {} }) =>
      say({
        type,
        key,
        action: 'published',
        store: async () => {
          const record = { type, key, severity, nodeId: settings.nodeId, details };
          const isNew = await deps.notifications.publish(record);
          if (isNew) logger.warn({ type, key, severity, details }, 'a problem needs attention');
          return isNew;
        },
      }),
    fix: (type, key) =>
      say({
        type,
        key: key ?? '',
        action: 'removed',
        store: async () => {
          const removed = await deps.notifications.remove(type, key);
          if (removed > 0) logger.info({ type, key }, 'a problem has been solved');
          return removed > 0;
        },
      }),
    retry: () => lastWords.retry(),
    async list() {
      const records = await deps.notifications.list();
      return records.flatMap(({ type, key, severity, timestamp, nodeId, details }) =>
        // A node of a newer version may publish types that this one does not know.
        isNotificationType(type)
          ? [
              {
                type,
                key: key === '' ? null : key,
                severity,
                timestamp: new Date(timestamp).toISOString(),
                node_id: nodeId,
                details: { ...details },
              },
            ]
          : [],
      );
    },
    async remove(type) {
      const known = type.toLowerCase();
      if (!isNotificationType(known)) {
        throw new InvalidError(
          `No such notification type: ${JSON.stringify(type.slice(0, 100))}. Expected one of ${NOTIFICATION_TYPES.join(', ')}.`,
        );
      }
      await deps.notifications.remove(known);
      lastWords.forget(known);
    },
  };
}

/** The last word on each notification, until it is stored. There are no more of them than things to say something about. */
function createLastWords() {
  const unsaid = new Map<string, Word>();
  let retrying: { readonly id: string; readonly done: Promise<unknown> } | undefined;
  const idOf = ({ type, key }: Word) => `${type} ${key}`;

  async function store(word: Word): Promise<boolean> {
    const result = await word.store();
    if (unsaid.get(idOf(word)) === word) unsaid.delete(idOf(word));
    return result;
  }

  return {
    async say(word: Word): Promise<boolean> {
      unsaid.set(idOf(word), word);
      // An older word must not be stored after this one.
      if (retrying?.id === idOf(word)) await retrying.done;
      return store(word);
    },
    async retry(): Promise<void> {
      const failures: unknown[] = [];
      // All of them: one that the database refuses must not hold up the others.
      for (const [id, word] of unsaid) {
        const stored = store(word);
        retrying = { id, done: stored.catch(() => {}) };
        await stored.catch((error: unknown) => failures.push(error));
        retrying = undefined;
      }
      if (failures.length > 0) throw failures[0];
    },
    forget(type: NotificationType): void {
      for (const [id, word] of unsaid) if (word.type === type) unsaid.delete(id);
    },
  };
}

function isNotificationType(type: string): type is NotificationType {
  return (NOTIFICATION_TYPES as readonly string[]).includes(type);
}
