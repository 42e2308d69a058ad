import {
  OUTPUT_STATES_WORST_FIRST,
  type Output,
  type OutputPage,
  type OutputStateView,
  type OutputStreams,
  type OutputTypeView,
  type PagingQuery,
  stateWord,
  worstState,
} from '@millrace/contract';
import { pageOf } from '#core/index.ts';

/** What outputs are found and sorted by besides their own properties. */
export interface KnownOfOutputs {
  /** Several for an output, one from each node. */
  readonly states: readonly Pick<OutputStateView, 'id' | 'state' | 'queued_messages'>[];
  /** Only those that the reader may know of. */
  readonly streams: OutputStreams['streams'];
  readonly types: readonly Pick<OutputTypeView, 'type' | 'human_name'>[];
}

/** Room for the largest number, so that numbers are sorted as text. */
const DIGITS = 16;

/** A page of the outputs; those that fail come first unless another order is asked for. */
export function pageOfOutputs(
  outputs: readonly Output[],
  known: KnownOfOutputs,
  query: PagingQuery,
): OutputPage {
  const byId = Map.groupBy(known.states, ({ id }) => id);
  const names = new Map(known.types.map(({ type, human_name }) => [type, human_name]));
  const rows = outputs.map((output) => {
    const own = byId.get(output.id) ?? [];
    const state = worstState(own, OUTPUT_STATES_WORST_FIRST)?.state;
    return { output, state, queued: own.reduce((sum, { queued_messages: queued }) => sum + queued, 0) };
  });
  const title = ({ output }: (typeof rows)[number]) => output.title.toLowerCase();
  const { elements, numbers } = pageOf(
    rows,
    query,
    {
      title,
      type: ({ output: { type } }) => (names.get(type) ?? type).toLowerCase(),
      state: ({ state }) => stateWord(state),
      used_by: ({ output: { id } }) =>
        (known.streams[id] ?? []).map((stream) => stream.title.toLowerCase()).join('\n'),
    },
    {
      state: (row) =>
        `${row.state === 'FAILED' || row.state === 'INVALID_CONFIGURATION' ? 0 : 1} ${title(row)}`,
      queue: ({ queued }) => String(queued).padStart(DIGITS, '0'),
    },
  );
  return { ...numbers, outputs: elements.map(({ output }) => output) };
}
