import type { StreamChoicePermission } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { findStreams, streamTitleQuery } from '../lib/streams/index.ts';
import { type ChoiceSource, FoundSelect, type FoundSelectProps } from './found-select.tsx';

/** Streams, by title. `permission` is what the user must be allowed to do with those that are offered. */
export function streamSource(permission?: StreamChoicePermission): ChoiceSource {
  return {
    key: ['streams', permission],
    find: async (find, count, signal) => {
      const { streams } = await findStreams({ find, count, permission }, signal);
      return streams.map(({ id, title }) => ({ value: id, label: title }));
    },
  };
}

export interface StreamSelectProps extends Omit<FoundSelectProps, 'source' | 'valueLabel'> {
  /** What the user must be allowed to do with a stream that is offered. */
  readonly needs?: StreamChoicePermission;
}

/** One stream. */
export function StreamSelect({ value, needs, always, ...select }: StreamSelectProps) {
  const ofAlways = always?.find((choice) => choice.value === value)?.label;
  const isStream = value !== null && ofAlways === undefined;
  const { data } = useQuery({ ...streamTitleQuery(value ?? ''), enabled: isStream });
  return (
    <FoundSelect
      nothingFoundMessage="No stream matches"
      {...select}
      {...(always !== undefined && { always })}
      source={streamSource(needs)}
      value={value}
      valueLabel={ofAlways ?? (data === undefined ? undefined : (data.title ?? data.id))}
    />
  );
}
