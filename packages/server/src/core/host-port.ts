import { isIPv6 } from 'node:net';

/** A host and a port as people write them. */
export interface HostPort {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

/** `host:port`, with the brackets an IPv6 address needs. */
export function formatHostPort(host: string, port: number): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Reads `host:port` and `[IPv6]:port`; undefined for anything else, a port above 65535 included. Without brackets the
 * host may be any text without a colon: callers decide what a host is.
 */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text);
  if (match === null) return undefined;
  const [, bracketed, plain = '', digits] = match;
  const port = Number(digits);
  if (port > 65535 || (bracketed !== undefined && !isIPv6(bracketed))) return undefined;
  return { host: bracketed ?? plain, port };
}
