import { probePort } from '../../packages/server/src/inputs/index.ts';

/** A port that nobody has now, for settings that take a number and programs that must find it again. */
export function freePort(transport: 'tcp' | 'udp'): Promise<number> {
  return probePort(transport, '127.0.0.1', 0);
}
