import {
  boundAddress,
  INPUT_STATES_WORST_FIRST,
  type Input,
  type InputPage,
  type InputState,
  isLosing,
  type PagingQuery,
  stateWord,
  worstState,
} from '@millrace/contract';
import { pageOf } from '#core/index.ts';

/** As the nodes have them: several states for an input that runs on several. */
type States = readonly Pick<InputState, 'id' | 'state' | 'detailed_message' | 'listening'>[];

/** A page of the inputs; those that need somebody come first unless another order is asked for. */
export function pageOfInputs(inputs: readonly Input[], states: States, query: PagingQuery): InputPage {
  const byId = Map.groupBy(states, ({ id }) => id);
  const rows = inputs.map((input) => {
    const own = byId.get(input.id) ?? [];
    const state = worstState(own, INPUT_STATES_WORST_FIRST)?.state;
    const listening = own.find(({ listening }) => listening !== null)?.listening ?? null;
    return { input, state, isLosing: own.some(isLosing), address: boundAddress(input, listening) };
  });
  const title = ({ input }: (typeof rows)[number]) => input.title.toLowerCase();
  const { elements, numbers } = pageOf(
    rows,
    query,
    {
      title,
      type: ({ input }) => input.name.toLowerCase(),
      address: ({ address }) => address,
      state: ({ state }) => stateWord(state),
    },
    {
      state: (row) => `${urgency(row)} ${title(row)}`,
      address: ({ address }) => inOrderOfPorts(address),
    },
  );
  return { ...numbers, inputs: elements.map(({ input }) => input) };
}

/** Ports with as many digits as the highest has, so that they are sorted as numbers. */
function inOrderOfPorts(address: string): string {
  return address.replace(/\d+$/, (port) => port.padStart(MAX_PORT_DIGITS, '0'));
}

const MAX_PORT_DIGITS = 5;
const FAILED: ReadonlySet<string | undefined> = new Set(['INVALID_CONFIGURATION', 'FAILED', 'TERMINATED']);

function urgency(row: {
  readonly state: InputState['state'] | undefined;
  readonly isLosing: boolean;
}): number {
  if (FAILED.has(row.state)) return 0;
  return row.state === 'RUNNING' && row.isLosing ? 1 : 2;
}
