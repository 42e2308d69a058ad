import type { Input } from '@millrace/contract';
import { hasWords } from '../../lib/format/index.ts';
import { boundAddress } from '../../lib/inputs/index.ts';
import { type CombinedState, combinedState, type NodeStates, statesById } from './input-state.ts';

/** A row of the list. */
export interface ListedInput {
  readonly input: Input;
  readonly combined: CombinedState;
  readonly address: string;
}

/** Those that need somebody first, then by title. */
export function listed(inputs: readonly Input[], nodes: NodeStates): ListedInput[] {
  const states = statesById(nodes);
  const rank = ({ combined: { tone } }: ListedInput) => (tone === 'danger' ? 0 : tone === 'warn' ? 1 : 2);
  return inputs
    .map((input) => {
      const combined = combinedState(states.get(input.id));
      return { input, combined, address: boundAddress(input, combined.listening) };
    })
    .sort((a, b) => rank(a) - rank(b) || a.input.title.localeCompare(b.input.title));
}

export function found(rows: readonly ListedInput[], find: string): readonly ListedInput[] {
  return rows.filter(({ input: { title, name }, combined: { word }, address }) =>
    hasWords([title, name, word, address], find),
  );
}
