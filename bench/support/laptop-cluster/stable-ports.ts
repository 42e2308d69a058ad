import { randomInt } from 'node:crypto';
import { probePort } from '../../../packages/server/src/inputs/index.ts';

/** Below what systems give to connections and to servers that ask for any port. */
const FIRST = 20_000;
const PORTS = 10_000;
const ATTEMPTS = 50;

/** Gives ports that are free now, and that nobody gets by chance while their owner is killed. None is given twice. */
export function createStablePorts(): () => Promise<number> {
  let next = randomInt(PORTS);
  return async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await probePort('tcp', '127.0.0.1', FIRST + (next++ % PORTS));
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
      }
    }
  };
}
