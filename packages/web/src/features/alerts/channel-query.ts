import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/api/index.ts';
import type { StoredChannel } from './channel-form.tsx';

export interface Channel extends StoredChannel {
  readonly type: string;
  /** Null for one that rules name. */
  readonly streamId: string | null;
}

const NOT_THERE = [403, 404];

/**
 * One notification by its id alone, as links to it have no more; null if there is none, or the user may not see it.
 * Those of streams are found among the ones the user may read, since their rights come from the stream.
 */
export function channelQuery(id: string) {
  return queryOptions({
    queryKey: ['alerts', 'channels', 'one', id],
    queryFn: async ({ signal }): Promise<Channel | null> => {
      const { alarmcallbacks } = await call('GET /alerts/callbacks', { signal });
      const ofStream = alarmcallbacks.find((channel) => channel.id === id);
      if (ofStream !== undefined) {
        const { title, type, configuration, revision, stream_id: streamId } = ofStream;
        return { id, title: title ?? '', description: '', type, configuration, revision, streamId };
      }
      try {
        const found = await call('GET /events/notifications/{notificationId}', {
          path: { notificationId: id },
          signal,
        });
        const { type, ...configuration } = found.config;
        const { title, description, revision } = found;
        return { id, title, description, type, configuration, revision, streamId: null };
      } catch (error) {
        if (error instanceof ApiError && NOT_THERE.includes(error.status)) return null;
        throw error;
      }
    },
  });
}
