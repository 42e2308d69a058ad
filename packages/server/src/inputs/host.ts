import { HostedInput, type InputHostConfig, type InputHostDeps } from './hosted-input.ts';
import type { InputStateReport, WantedInput } from './input-state.ts';

export type { InputHostConfig, InputHostDeps } from './hosted-input.ts';
export type { InputState, InputStateReport, WantedInput } from './input-state.ts';

/** All inputs of one worker. An input that misbehaves never affects another. */
export interface InputHost {
  /**
   * Makes this list true: starts what is new, stops what is gone or no longer wanted, restarts what was
   * changed, leaves the rest alone. Resolves when nothing is left to do, apart from retries. Inputs that
   * left the list report TERMINATED and lose their metrics.
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
