/**
 * Brings events from the metadata database, where they are stored together with their alert, to the messages. Whatever is
 * killed in between, every event arrives once.
 */
import { EVENT_INDEX_SET_ID, type Message, type RoutingTarget, readAfterChanges } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { eventMessage } from './event-messages.ts';

/** Stores each message once, however often it is asked to. */
export interface EventStore {
  store(
    indexSetId: string,
    nodeId: string,
    messages: readonly { readonly message: Message; readonly target: RoutingTarget }[],
  ): Promise<void>;
}

export interface EventOutbox {
  /** Rejects while the storage is away; the events wait. */
  flush(): Promise<void>;
}

const BATCH = 200;

export function createEventOutbox(
  { metadata, messages }: { readonly metadata: Metadata; readonly messages: EventStore },
  { nodeId }: { readonly nodeId: string },
): EventOutbox {
  const { alerts } = metadata.repositories;
  const readWaiting = readAfterChanges(metadata, () => alerts.withoutEvent(BATCH));
  return {
    async flush() {
      for (;;) {
        const waiting = await readWaiting();
        if (waiting.length === 0) return;
        await messages.store(EVENT_INDEX_SET_ID, nodeId, waiting.map(eventMessage));
        await alerts.eventStored(waiting.map(({ id }) => id));
        if (waiting.length < BATCH) return;
      }
    },
  };
}
