import { SYSTEM_MESSAGES_PER_PAGE, type SystemMessageList } from '@millrace/contract';
import { errorMessage } from '#core/index.ts';
import type { SystemMessagesRepository } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';

/** Events of the nodes that may interest an operator, kept for the whole cluster. */
export interface SystemMessages {
  /** Never rejects: a message that cannot be stored is still in the log. */
  publish(caller: string, content: string, options?: SystemMessageOptions): Promise<void>;
  /** Pages start at 1; newest message first. */
  list(page: number): Promise<SystemMessageList>;
}

export interface SystemMessageOptions {
  /** `info` unless given. */
  readonly logLevel?: 'info' | 'debug';
}

export function createSystemMessages(
  deps: { readonly systemMessages: SystemMessagesRepository; readonly logger: Logger },
  settings: { readonly nodeId: string },
): SystemMessages {
  const logger = deps.logger.child({ component: 'system-messages' });
  return {
    async publish(caller, content, { logLevel = 'info' } = {}) {
      logger[logLevel]({ caller }, content);
      try {
        await deps.systemMessages.insert({ caller, content, nodeId: settings.nodeId });
      } catch (error) {
        logger.warn({ reason: errorMessage(error), content }, 'a system message could not be stored');
      }
    },
    async list(page) {
      const offset = Math.max(0, page - 1) * SYSTEM_MESSAGES_PER_PAGE;
      const { items, total } = await deps.systemMessages.listPage({
        limit: SYSTEM_MESSAGES_PER_PAGE,
        offset,
      });
      const messages = items.map(({ caller, content, timestamp, nodeId }) => ({
        caller,
        content,
        timestamp: new Date(timestamp).toISOString(),
        node_id: nodeId,
      }));
      return { messages, total };
    },
  };
}
