import type { Output, OutputStateList, OutputStreams, OutputTypeView } from '@millrace/contract';
import { type CombinedOutputState, combinedOutputState } from '../../lib/outputs/index.ts';

/** A row of the list. */
export interface ListedOutput {
  readonly output: Output;
  /** The name of its type. */
  readonly type: string;
  readonly combined: CombinedOutputState;
  /** Whether all nodes have said what it does: only then is what waits in its queues known. */
  readonly isStateKnown: boolean;
  /** Those that the reader may know of; undefined until the server has said. */
  readonly streams: OutputStreams['streams'][string] | undefined;
}

interface Known {
  readonly states: OutputStateList | undefined;
  readonly streams: OutputStreams['streams'] | undefined;
  readonly types: Readonly<Record<string, OutputTypeView>> | undefined;
}

export function listedOutput(output: Output, { states, streams, types }: Known): ListedOutput {
  return {
    output,
    type: types?.[output.type]?.human_name ?? output.type,
    combined: combinedOutputState((states?.states ?? []).filter(({ id }) => id === output.id)),
    isStateKnown: states !== undefined && states.missing_nodes.length === 0,
    streams: streams === undefined ? undefined : (streams[output.id] ?? []),
  };
}
