import type { Server } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Input, InputContext, Listening } from '../input.ts';
import type { InputMetrics } from '../input-metrics.ts';
import { type ConnectionConfig, limitConnections, trackSockets } from './connections.ts';
import { listen } from './listen.ts';
import { followServerRenewals, tlsServerOptions } from './tls.ts';

export interface ServerInputConfig extends ConnectionConfig {
  readonly bind_address: string;
  readonly port: number;
}

/** What distinguishes one input that accepts connections from another. */
export interface ServerInputParts {
  /** Creates the server. `tls` is undefined when the input does not use TLS. */
  createServer(tls: TlsOptions | undefined): Server;
  /** No connection is accepted any more: finishes what is under way. Then all connections are closed. */
  finish(): Promise<void>;
  /** Called when everything is closed, and when the input did not get to listen; perhaps twice. */
  release(): void;
}

/** Starts and stops an input that accepts TCP or TLS connections, whatever its protocol. */
export function createServerInput(
  context: InputContext,
  metrics: InputMetrics,
  config: ServerInputConfig,
  parts: ServerInputParts,
): Input {
  const stopping = new AbortController();
  let server: Server | undefined;
  let destroySockets: (() => void) | undefined;
  let stopFollowingRenewals: (() => void) | undefined;
  let stopped: Promise<void> | undefined;

  async function stopOnce(): Promise<void> {
    stopping.abort(new Error('the input was stopped'));
    const listening = server;
    if (listening === undefined) return parts.release();
    stopFollowingRenewals?.();
    const closed = new Promise((resolve) => listening.close(resolve));
    await parts.finish();
    destroySockets?.();
    await closed;
    parts.release();
  }

  return {
    async start(): Promise<Listening> {
      try {
        const created = parts.createServer(await tlsServerOptions(context, config));
        server = created;
        destroySockets = trackSockets(created);
        limitConnections(created, config.max_connections, metrics);
        stopFollowingRenewals = followServerRenewals(context, config, created);
        return await listen(context, created, config.bind_address, config.port, stopping.signal);
      } catch (error) {
        stopFollowingRenewals?.();
        parts.release();
        throw error;
      }
    },
    stop() {
      stopped ??= stopOnce();
      return stopped;
    },
  };
}
