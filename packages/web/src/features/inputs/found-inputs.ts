import type { Input } from '@millrace/contract';
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

/** Every word has to be somewhere in what the row shows. */
export function found(rows: readonly ListedInput[], find: string): readonly ListedInput[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ input: { title, name }, combined: { word }, address }) => {
    const shown = `${title}\n${name}\n${word}\n${address}`.toLowerCase();
    return words.every((wanted) => shown.includes(wanted));
  });
}
