import type { Kysely } from 'kysely';
import type { Clock } from '#core/index.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { Database } from '../tables/index.ts';

export interface NewSystemMessage {
  /** The part of the program that published it. */
  readonly caller: string;
  readonly content: string;
  readonly nodeId: string;
}

export interface SystemMessage extends NewSystemMessage {
  readonly timestamp: number;
}

/** Events of the nodes that may interest an operator. Only the newest are kept. */
export interface SystemMessagesRepository {
  insert(message: NewSystemMessage): Promise<void>;
  /** Newest first. */
  listPage(page: PageRequest): Promise<Page<SystemMessage>>;
}

export const MAX_SYSTEM_MESSAGES = 10_000;

export function createSystemMessagesRepository(db: Kysely<Database>, clock: Clock): SystemMessagesRepository {
  return {
    async insert(message) {
      const { sequence } = await db
        .insertInto('system_messages')
        .values({
          caller: message.caller,
          content: message.content,
          timestamp: clock.now(),
          node_id: message.nodeId,
        })
        .returning('sequence')
        .executeTakeFirstOrThrow();
      // Uses the primary key, so it is cheap enough to run every time.
      await db
        .deleteFrom('system_messages')
        .where('sequence', '<=', sequence - MAX_SYSTEM_MESSAGES)
        .execute();
    },

    async listPage(page) {
      const rows = await db
        .selectFrom('system_messages')
        .select(['caller', 'content', 'timestamp', 'node_id'])
        .orderBy('sequence', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      const { total } = await db
        .selectFrom('system_messages')
        .select((expression) => expression.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(({ node_id, ...message }) => ({ ...message, nodeId: node_id })), total };
    },
  };
}
