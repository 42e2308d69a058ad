/**
 * What is said of a component that runs on several nodes. Here, and without schemas, because the server sorts lists
 * by it and pages show it.
 */
import type { Input, InputState, InputStateName } from './inputs.ts';
import type { OutputStateView } from './outputs.ts';

/** One node that fails is what people need to know. */
export const INPUT_STATES_WORST_FIRST: readonly InputStateName[] = [
  'INVALID_CONFIGURATION',
  'FAILED',
  'TERMINATED',
  'STARTING',
  'INITIALIZED',
  'CREATED',
  'STOPPING',
  'STOPPED',
  'RUNNING',
];

export const OUTPUT_STATES_WORST_FIRST: readonly OutputStateView['state'][] = [
  'INVALID_CONFIGURATION',
  'FAILED',
  'STARTING',
  'PAUSED',
  'RUNNING',
];

/** The first state of this order that one of the nodes has. */
export function worstState<Name extends string, State extends { readonly state: Name }>(
  states: readonly State[],
  worstFirst: readonly Name[],
): State | undefined {
  return worstFirst.map((name) => states.find(({ state }) => state === name)).find(Boolean);
}

/** `INVALID_CONFIGURATION` as `invalid configuration`. */
export function stateWord(state: string | undefined): string {
  return state === undefined ? 'unknown' : state.toLowerCase().replaceAll('_', ' ');
}

const LOSING = /^messages were lost/;

/** Whether an input runs but has lost messages during the last minute. */
export function isLosing({
  state,
  detailed_message: why,
}: Pick<InputState, 'state' | 'detailed_message'>): boolean {
  return state === 'RUNNING' && LOSING.test(why ?? '');
}

/** Where an input listens, as text; the port that the system chose for port 0. Empty when it has no address. */
export function boundAddress(
  { effective_attributes: { bind_address: bound, port: wanted } }: Pick<Input, 'effective_attributes'>,
  listening?: InputState['listening'],
): string {
  const port = Number(wanted) === 0 ? listening?.port : Number(wanted);
  if (typeof bound !== 'string' || port === undefined || !Number.isFinite(port)) return '';
  return `${inUrl(bound)}:${port}`;
}

/** IPv6 addresses are written in brackets before a port. */
export function inUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
