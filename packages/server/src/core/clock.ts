/** The one way to read the time in code under test. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds since some moment, for durations: it never jumps when somebody sets the machine's time. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** What this thread has worked, in milliseconds, whatever the machine does beside it. */
export const threadClock: Clock = {
  now() {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};
