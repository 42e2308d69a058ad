import vm from 'node:vm';
import { threadClock } from './clock.ts';
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
  /**
   * The same for work that goes on where it stopped, or may be done again: it is called again as long as the thread stood
   * still for most of the time, since a busy or suspended machine is not the fault of the work.
   */
  repeat(work: () => void, timeoutMs: number): boolean;
}

/** A machine that stands still this often in a row ends the work all the same. */
const MOST_ATTEMPTS = 3;

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

  function run(work: () => void, timeoutMs: number): boolean {
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
  }

  return {
    run,
    repeat(work, timeoutMs) {
      // The first use takes some milliseconds to prepare, which are not the work's.
      guarded ??= prepare();
      const startedAt = threadClock.now();
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        if (run(work, timeoutMs)) return true;
        if (threadClock.now() - startedAt > timeoutMs / 2) return false;
      }
      return false;
    },
  };
}
