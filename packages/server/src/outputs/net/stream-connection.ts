/**
 * One TCP or TLS connection to a destination. Nothing that is written is answered, so whoever uses it keeps what was
 * written for a while, to write it again when the connection breaks.
 */
import net from 'node:net';
import tls from 'node:tls';
import { errorCode, errorMessage, formatHostPort } from '#core/index.ts';
import type { OutputContext } from '../output.ts';
import { type TlsClientConfig, tlsClientOptions } from './tls-client.ts';

export interface StreamConnectionSettings {
  readonly host: string;
  readonly port: number;
  /** Undefined: without TLS. */
  readonly tls: TlsClientConfig | undefined;
  readonly connectTimeoutMs: number;
  readonly noDelay: boolean;
  readonly keepAlive: boolean;
}

export interface StreamConnection {
  connect(signal: AbortSignal): Promise<void>;
  /** Resolves when the bytes have left the process. */
  write(bytes: Buffer, signal: AbortSignal): Promise<void>;
  /** True: the other side has read everything and closed, too. */
  close(signal: AbortSignal): Promise<boolean>;
}

const DEFAULT_STALL_TIMEOUT_MS = 30_000;

export function createStreamConnection(
  deps: Pick<OutputContext, 'lost' | 'stallTimeoutMs'>,
  settings: StreamConnectionSettings,
): StreamConnection {
  const { host, port } = settings;
  const { stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS } = deps;
  const address = formatHostPort(host, port);
  let socket: net.Socket | undefined;

  async function connect(signal: AbortSignal): Promise<void> {
    socket?.destroy();
    socket = undefined;
    const opened = await open(settings, address, signal);
    socket = opened;
    let reason = `${address} closed the connection`;
    opened.on('error', (error) => {
      reason = `the connection to ${address} broke: ${errorMessage(error)}`;
    });
    // What it sends is of no interest, but reading it is how its end is noticed.
    opened.resume();
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = undefined;
      deps.lost(reason);
    });
  }

  function write(bytes: Buffer, signal: AbortSignal): Promise<void> {
    const current = socket;
    if (current === undefined || current.destroyed) {
      return Promise.reject(new Error(`the connection to ${address} is closed`));
    }
    return new Promise((resolve, reject) => {
      let reason: Error | undefined;
      // To a write that was broken off the socket only says that it was cancelled.
      const breakOff = (text: string) => {
        reason = new Error(text);
        current.destroy(reason);
      };
      const stalled = setTimeout(
        () => breakOff(`${address} has read nothing for ${stallTimeoutMs / 1000} s`),
        stallTimeoutMs,
      );
      const abort = () => breakOff('stopped');
      signal.addEventListener('abort', abort, { once: true });
      current.write(bytes, (error) => {
        clearTimeout(stalled);
        signal.removeEventListener('abort', abort);
        if (error) reject(reason ?? new Error(`the connection to ${address} broke: ${errorMessage(error)}`));
        else resolve();
      });
      if (signal.aborted) abort();
    });
  }

  async function close(signal: AbortSignal): Promise<boolean> {
    const current = socket;
    socket = undefined;
    if (current === undefined || current.destroyed) return false;
    let hasRead = false;
    const closed = new Promise<void>((resolve) => {
      current.once('end', () => {
        hasRead = true;
      });
      current.once('close', () => resolve());
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    current.end();
    await closed;
    current.destroy();
    return hasRead;
  }

  return { connect, write, close };
}

async function open(
  settings: StreamConnectionSettings,
  address: string,
  signal: AbortSignal,
): Promise<net.Socket> {
  const { host, port, noDelay, keepAlive, connectTimeoutMs } = settings;
  const secure = settings.tls && (await tlsClientOptions(settings.tls));
  const target = { host, port, noDelay, keepAlive };
  const socket = secure
    ? tls.connect({ ...target, ...secure, ...(net.isIP(host) === 0 && { servername: host }) })
    : net.connect(target);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error(`${address} did not answer within ${connectTimeoutMs} ms`)),
    connectTimeoutMs,
  );
  const abort = () => reject(new Error('stopped'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  socket.once(secure ? 'secureConnect' : 'connect', resolve);
  // Stays: an error without a listener would end the worker.
  socket.on('error', (error) => reject(new Error(connectFailure(address, error), { cause: error })));
  const closed = () => reject(new Error(`${address} closed the connection`));
  socket.once('close', closed);
  try {
    await promise;
    socket.off('close', closed);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; name it in tls_trust_cert_chain to trust it',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate chain ends in an unknown authority; name it in tls_trust_cert_chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the authority of its certificate is unknown; name it in tls_trust_cert_chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the authority of its certificate is unknown; name it in tls_trust_cert_chain',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

export function connectFailure(address: string, error: unknown): string {
  const problem = CERTIFICATE_PROBLEMS[errorCode(error) ?? ''];
  return problem === undefined
    ? `cannot connect to ${address}: ${errorMessage(error) || errorCode(error)}`
    : `cannot connect to ${address}: ${problem}`;
}
