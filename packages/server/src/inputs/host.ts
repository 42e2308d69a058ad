import { HostedInput, type InputHostConfig, type InputHostDeps } from './hosted-input.ts';
import type { InputStateReport, WantedInput } from './input-state.ts';

export type { InputHostConfig, InputHostDeps } from './hosted-input.ts';
export type { InputState, InputStateReport, WantedInput } from './input-state.ts';

/** All inputs of one worker. An input that misbehaves never affects another. */
export interface InputHost {
  /**
   * Applies this list: starts new inputs, stops those that are gone or no longer wanted, restarts changed ones and
   * leaves the others alone. Resolves when only retries are left to do. Inputs that left the list report TERMINATED
   * and lose their metrics.
   */
  apply(desired: readonly WantedInput[]): Promise<void>;
  statuses(): InputStateReport[];
  /** Stops all inputs; nothing is started afterwards. */
  stop(): Promise<void>;
}

export function createInputHost(deps: InputHostDeps, config: InputHostConfig = {}): InputHost {
  const inputs = new Map<string, HostedInput>();
  let stopped = false;

  return {
    async apply(wanted) {
      if (stopped) return;
      const wantedIds = new Set(wanted.map(({ id }) => id));
      const work: Promise<void>[] = [];
      for (const [id, input] of inputs) {
        if (wantedIds.has(id)) continue;
        inputs.delete(id);
        work.push(input.terminate());
      }
      for (const each of wanted) {
        let input = inputs.get(each.id);
        if (input === undefined) {
          input = new HostedInput(deps, config, each.id);
          inputs.set(each.id, input);
        }
        work.push(input.want(each));
      }
      await Promise.all(work);
    },
    statuses: () => [...inputs.values()].map((input) => input.report),
    async stop() {
      stopped = true;
      await Promise.all([...inputs.values()].map((input) => input.shutDown()));
    },
  };
}
