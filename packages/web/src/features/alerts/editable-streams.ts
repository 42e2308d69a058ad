import { useQuery } from '@tanstack/react-query';
import { foundStreamsQuery } from '../../lib/streams/index.ts';
import { ALL_MESSAGES } from './first-stream.ts';

/** Streams whose alerts the user may change: of those that were asked for, "All messages", and the first of the others. */
export function useEditableStreams(asked: readonly string[]) {
  const permission = 'streams:edit';
  const wanted = [...asked, ALL_MESSAGES];
  const named = useQuery(foundStreamsQuery({ ids: wanted, count: wanted.length, permission }));
  const any = useQuery(foundStreamsQuery({ count: 1, permission }));
  return {
    ids: named.data && any.data && [...named.data.streams, ...any.data.streams].map(({ id }) => id),
    error: named.error ?? any.error,
    retry: () => {
      void named.refetch();
      void any.refetch();
    },
  };
}
