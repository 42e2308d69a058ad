import vm from 'node:vm';
import { errorCode } from '#core/index.ts';

/**
 * Runs JavaScript that may never come to an end, and really ends it: the engine's own interrupt breaks a
 * backtracking regular expression in the middle. Arming it costs a few tenths of a millisecond (it starts a
 * worker), so whoever uses it does many things in one call and only those that need it.
 *
 * What was interrupted does not see its `finally` blocks run: keep state in variables that are right at
 * every moment.
 */
export interface TimeGuard {
  /** Runs `work` for at most so many milliseconds. False: it was interrupted. What it throws is thrown. */
  run(work: () => void, timeoutMs: number): boolean;
}

export function createTimeGuard(): TimeGuard {
  let current: () => void = () => {};
  let guarded: ((timeoutMs: number) => void) | undefined;

  /** On first use only: a context is a megabyte that most nodes never need. */
  function prepare(): (timeoutMs: number) => void {
    const context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
    Reflect.set(context, 'run', () => current());
    const script = new vm.Script('run()');
    return (timeout) => script.runInContext(context, { timeout });
  }

  return {
    run(work, timeoutMs) {
      guarded ??= prepare();
      current = work;
      try {
        guarded(Math.max(1, Math.ceil(timeoutMs)));
        return true;
      } catch (error) {
        if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
        throw error;
      } finally {
        current = () => {};
      }
    },
  };
}
