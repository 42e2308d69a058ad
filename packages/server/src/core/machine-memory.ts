import os from 'node:os';

/** The memory this process may use: that of the machine, or of its container when that is limited to less. */
export function machineMemoryBytes(): number {
  // 0 and huge values mean no limit.
  const limit = process.constrainedMemory();
  const total = os.totalmem();
  return limit > 0 && limit < total ? limit : total;
}
