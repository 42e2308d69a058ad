import type { Output, OutputStateList, OutputStreams, OutputTypeView } from '@millrace/contract';
import { hasWords } from '../../lib/format/index.ts';
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

/** Those that need somebody first, then by title. */
export function listedOutputs(outputs: readonly Output[], known: Known): ListedOutput[] {
  const rank = ({ combined: { tone } }: ListedOutput) => (tone === 'danger' ? 0 : 1);
  return outputs
    .map((output) => listedOutput(output, known))
    .sort((a, b) => rank(a) - rank(b) || a.output.title.localeCompare(b.output.title));
}

export function foundOutputs(rows: readonly ListedOutput[], find: string): readonly ListedOutput[] {
  return rows.filter(({ output: { title }, type, combined: { word }, streams }) =>
    hasWords([title, type, word, ...(streams ?? []).map((stream) => stream.title)], find),
  );
}
