/** Ends the worker, which is then restarted. Nothing is lost: what was not committed is read again. */
export function endWorker(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}
