import { useQuery } from '@tanstack/react-query';
import { useCan } from '../../../lib/account/index.ts';
import { useStreamTitles } from '../../../lib/streams/index.ts';
import { connectionsQuery } from '../queries.ts';

export interface ConnectedStream {
  readonly id: string;
  readonly title: string;
}

/** The streams of a pipeline that the user may read, by title; undefined until they are known. */
export function useStreamsOf(pipelineId: string): readonly ConnectedStream[] | undefined {
  const { data: connections } = useQuery(connectionsQuery);
  const ids = (connections ?? [])
    .filter(({ pipeline_ids }) => pipeline_ids.includes(pipelineId))
    .map(({ stream_id }) => stream_id);
  const { titles, isPending } = useStreamTitles(ids);
  if (connections === undefined || isPending) return undefined;
  return ids
    .flatMap((id) => (titles[id] === undefined ? [] : [{ id, title: titles[id] }]))
    .sort((left, right) => left.title.localeCompare(right.title));
}

/** Whether no pipeline is connected to a stream that the user may not see. */
export function useSeesAllStreams(): boolean {
  const seesConnections = useCan('pipeline_connection:read');
  const seesStreams = useCan('streams:read');
  return seesConnections && seesStreams;
}
