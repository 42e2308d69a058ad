import type { Output, OutputStateList, OutputStreams, OutputTypeView } from '@millrace/contract';
import { hasWords } from '../../lib/format/index.ts';
import { type CombinedOutputState, combinedOutputState } from '../../lib/outputs/index.ts';

/** A row of the list. */
export interface ListedOutput {
  readonly output: Output;
  /** The name of its type. */
  readonly type: string;
  readonly combined: CombinedOutputState;
  /** Those that the reader may know of. */
  readonly streams: OutputStreams['streams'][string];
}

interface Known {
  readonly states: OutputStateList['states'] | undefined;
  readonly streams: OutputStreams['streams'] | undefined;
  readonly types: Readonly<Record<string, OutputTypeView>> | undefined;
}

export function listedOutput(output: Output, { states, streams, types }: Known): ListedOutput {
  return {
    output,
    type: types?.[output.type]?.human_name ?? output.type,
    combined: combinedOutputState((states ?? []).filter(({ id }) => id === output.id)),
    streams: streams?.[output.id] ?? [],
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
    hasWords([title, type, word, ...streams.map((stream) => stream.title)], find),
  );
}
