import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { connect, isIPv6 } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { errorMessage, InvalidError, StateConflictError } from '#core/index.ts';
import type { ListeningAt } from '../input.ts';
import type { TlsConfig } from './fields.ts';

/*
 * How a node sends a message to its own inputs, the way other senders do. Each function resolves when the message is
 * sent, and rejects with an error for people.
 */

const TIMEOUT_MS = 5000;
/** The certificate is our own, often self-signed and for another name. */
const OWN_CERTIFICATE = { rejectUnauthorized: false } as const;

/** Where to reach something that listens: an address for all interfaces is none to connect to. */
export function reachableAt({ address, port }: ListeningAt): { host: string; port: number } {
  if (address === '0.0.0.0' || address === '') return { host: '127.0.0.1', port };
  return { host: address === '::' ? '::1' : address, port };
}

export async function sendDatagram(listening: ListeningAt, frame: string): Promise<void> {
  const { host, port } = reachableAt(listening);
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.send(frame, port, host, (error) => (error === null ? resolve() : reject(error)));
    });
  } catch (error) {
    throw notAccepted(error);
  } finally {
    socket.close();
  }
}

export async function sendOnConnection(
  listening: ListeningAt,
  frame: string,
  config: TlsConfig,
): Promise<void> {
  requireNoClientCertificate(config);
  const at = reachableAt(listening);
  const socket = config.tls_enable ? connectTls({ ...at, ...OWN_CERTIFICATE }) : connect(at);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await once(socket, config.tls_enable ? 'secureConnect' : 'connect', { signal });
    const closed = once(socket, 'close', { signal });
    // Whoever closes the other half reads to the end first.
    socket.resume().end(frame);
    await closed;
  } catch (error) {
    throw notAccepted(error);
  } finally {
    socket.destroy();
  }
}

export interface TestPost {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function post(
  listening: ListeningAt,
  { path, body, headers }: TestPost,
  config: TlsConfig,
): Promise<void> {
  requireNoClientCertificate(config);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const options = { ...reachableAt(listening), method: 'POST', path, headers, agent: false, signal };
  const sent = config.tls_enable ? tlsRequest({ ...options, ...OWN_CERTIFICATE }) : plainRequest(options);
  try {
    sent.end(body);
    const [response] = await once(sent, 'response');
    response.resume();
    if (response.statusCode >= 400) throw new Error(`it answered with status ${response.statusCode}`);
  } catch (error) {
    throw notAccepted(error);
  }
}

function requireNoClientCertificate({ tls_enable, tls_client_auth }: TlsConfig): void {
  if (!tls_enable || tls_client_auth !== 'required') return;
  throw new InvalidError(
    'This input takes messages only from senders with a certificate (tls_client_auth), and the node has none. Send a message from one of your senders.',
  );
}

function notAccepted(error: unknown): StateConflictError {
  return new StateConflictError(`The input did not take the test message: ${errorMessage(error)}.`, {
    cause: error,
  });
}
