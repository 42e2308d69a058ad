import type { Input } from '@millrace/contract';
import { boundAddress } from '@millrace/contract/states';
import { type CombinedState, combinedState, type NodeStates, statesById } from './input-state.ts';

/** A row of the list. */
export interface ListedInput {
  readonly input: Input;
  readonly combined: CombinedState;
  readonly address: string;
}

/** In the order of the server, with what the nodes say now. */
export function listed(inputs: readonly Input[], nodes: NodeStates): ListedInput[] {
  const states = statesById(nodes);
  return inputs.map((input) => {
    const combined = combinedState(states.get(input.id));
    return { input, combined, address: boundAddress(input, combined.listening) };
  });
}
