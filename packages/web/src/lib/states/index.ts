/** How a state looks; each tone has a colour and a sign of its own. */
export type StateTone = 'ok' | 'warn' | 'danger' | 'info' | 'dim';

/** Of something that runs on several nodes: the first state of this order that one of them has. */
export function worstState<Name extends string, State extends { readonly state: Name }>(
  states: readonly State[],
  worstFirst: readonly Name[],
): State | undefined {
  return worstFirst.map((name) => states.find(({ state }) => state === name)).find(Boolean);
}

/** `INVALID_CONFIGURATION` as `invalid configuration`. */
export function stateWord(state: string): string {
  return state.toLowerCase().replaceAll('_', ' ');
}
