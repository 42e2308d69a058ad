import { useQuery } from '@tanstack/react-query';
import { connectionsQuery, streamTitlesQuery } from '../queries.ts';

export interface ConnectedStream {
  readonly id: string;
  readonly title: string;
}

/** The streams of a pipeline that the user may read; undefined until they are known. */
export function useStreamsOf(pipelineId: string): readonly ConnectedStream[] | undefined {
  const { data: connections } = useQuery(connectionsQuery);
  const { data: streams } = useQuery(streamTitlesQuery);
  if (connections === undefined || streams === undefined) return undefined;
  const ids = new Set(
    connections
      .filter(({ pipeline_ids }) => pipeline_ids.includes(pipelineId))
      .map(({ stream_id }) => stream_id),
  );
  return streams.filter(({ id }) => ids.has(id));
}
