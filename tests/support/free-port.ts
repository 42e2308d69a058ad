import { probePort } from '../../packages/server/src/inputs/index.ts';

/** A port that is free now, for programs that cannot choose one themselves and report it. */
export function freePort(transport: 'tcp' | 'udp'): Promise<number> {
  return probePort(transport, '127.0.0.1', 0);
}
