import type { InputState, InputStateReport, WantedInput } from '#inputs/index.ts';
import type { InputWorkers } from '#inputs/service.ts';

/** Two workers that do at once what they are told, unless a test makes them fail. */
export function obedientWorkers() {
  const applied: (readonly WantedInput[])[] = [];
  const down = new Set<number>();
  const failing = new Map<string, string>();
  let listener = () => {};
  let isStuck = false;
  const reportOf = ({ id, started }: WantedInput): InputStateReport => {
    const failure = failing.get(id);
    const state: InputState = !started ? 'STOPPED' : failure === undefined ? 'RUNNING' : 'FAILED';
    return {
      id,
      state,
      detailedMessage: failure,
      startedAt: 5,
      address: undefined,
      port: undefined,
      losing: [],
      droppedField: undefined,
    };
  };
  const workers: InputWorkers = {
    async apply(inputs) {
      applied.push(inputs);
      listener();
      if (isStuck) await new Promise(() => {});
    },
    statuses: () =>
      [0, 1].map((worker) =>
        down.has(worker)
          ? undefined
          : new Map((applied.at(-1) ?? []).map((input) => [input.id, reportOf(input)])),
      ),
    onStatuses: (added) => {
      listener = added;
    },
  };
  return {
    workers,
    applied,
    down,
    failing,
    changed: () => listener(),
    getStuck: () => {
      isStuck = true;
    },
    /** Whether it should run, by input, in the order the workers were told. */
    history: () =>
      applied.map((inputs) => inputs.map(({ id, started }) => `${id}${started ? '+' : '-'}`).join(' ')),
  };
}
