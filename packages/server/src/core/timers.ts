/** Timers that tests can replace, so that they move time by hand. */
export interface Timers {
  /** Calls `action` once after `delayMs`. The returned function cancels it. */
  schedule(delayMs: number, action: () => void): () => void;
}

/** The timers of the runtime. A waiting timer does not keep the process alive. */
export const systemTimers: Timers = {
  schedule(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
