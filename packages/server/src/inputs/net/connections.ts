import { createServer as createTcpServer, type Server, type ServerOpts, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import type { InputMetrics } from '../input-metrics.ts';
import type { TlsConfig } from './fields.ts';
import { isClientAllowed } from './tls.ts';

const KEEP_ALIVE_AFTER_MS = 60_000;

export interface ConnectionConfig extends TlsConfig {
  readonly max_connections: number;
  readonly tcp_keepalive: boolean;
}

/** A server for plain or TLS connections that calls `accept` for each client it lets in. */
export function createStreamServer(
  config: ConnectionConfig,
  tls: TlsOptions | undefined,
  metrics: InputMetrics,
  accept: (socket: Socket) => void,
): Server {
  const options: ServerOpts = {
    keepAlive: config.tcp_keepalive,
    keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
    noDelay: true,
  };
  if (tls === undefined) {
    // A sender that has closed its side waits until its last frame is in the journal.
    return createTcpServer({ ...options, allowHalfOpen: true }, accept);
  }
  return createTlsServer({ ...options, ...tls }, (socket) => {
    if (isClientAllowed(config, socket)) accept(socket);
    else refuseClient(socket, metrics);
  });
}

export function limitConnections(server: Server, maxConnections: number, metrics: InputMetrics): void {
  server.maxConnections = maxConnections;
  server.on('drop', () => metrics.error('connection_limit', 'connection'));
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => {
    metrics.error('tls_handshake', 'connection');
    socket.destroy();
  });
}

/**
 * Tracks the sockets of a server from the moment they are accepted, before their TLS handshake: they, too, keep a
 * server from closing. Returns a function that destroys them all.
 */
export function trackSockets(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

export function refuseClient(socket: TLSSocket, metrics: InputMetrics): void {
  metrics.error('client_certificate', 'connection');
  socket.on('error', () => undefined);
  socket.destroy();
}
