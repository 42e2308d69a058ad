import vm from 'node:vm';
import { errorCode } from './errors.ts';

/**
 * Runs JavaScript that may never end, and really stops it: V8's own interrupt breaks off even a backtracking regular
 * expression. Arming the interrupt starts a thread, which costs a few tenths of a millisecond. So guard only work that
 * needs it, and much of it in one call.
 *
 * The `finally` blocks of interrupted work do not run: keep its state in variables that are valid at every moment.
 */
export interface TimeGuard {
  /** Runs `work` for at most `timeoutMs`. False: it was interrupted. Throws what `work` throws. */
  run(work: () => void, timeoutMs: number): boolean;
}

export function createTimeGuard(): TimeGuard {
  let current: () => void = () => {};
  let guarded: ((timeoutMs: number) => void) | undefined;

  /** Only on first use: a context takes a megabyte, and most nodes never need one. */
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
