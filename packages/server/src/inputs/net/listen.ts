import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { errorMessage } from '#core/index.ts';
import type { InputContext, Listening } from '../input.ts';
import { listenError } from './address.ts';

/** Connections the kernel keeps for us while the event loop is busy; it may allow fewer. */
const BACKLOG = 1024;

/** Rejects with an `InputStartError` and closes the server when it cannot listen, or when `signal` aborts. */
export async function listen(
  context: InputContext,
  server: Server,
  bindAddress: string,
  port: number,
  signal: AbortSignal,
): Promise<Listening> {
  try {
    server.listen({
      host: bindAddress,
      port,
      backlog: BACKLOG,
      exclusive: true,
      reusePort: context.shared,
    });
    await once(server, 'listening', { signal });
  } catch (error) {
    server.close();
    throw listenError(error, 'tcp', bindAddress, port);
  }
  // Without a listener, an error of the server would end the process.
  server.on('error', (error) => context.failed(`the server socket failed: ${errorMessage(error)}`));
  const bound = server.address() as AddressInfo;
  return { address: bound.address, port: bound.port };
}
