import type { Secret } from '#core/index.ts';

/** How the API listens and what it takes. `main.ts` fills it from the configuration. */
export interface ApiSettings {
  readonly host: string;
  /** 0: any free port, see `Api.address()`. */
  readonly port: number;
  /** PEM texts. Without it the API speaks plain HTTP. */
  readonly tls?: {
    readonly certificate: string;
    readonly key: Secret;
    readonly keyPassword?: Secret;
  };
  /** Bytes. */
  readonly maxBodySize: number;
  /** Bytes of the request line and all headers. */
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
  /** A client must have sent its headers, and its whole request, by then. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long an idle connection stays open; longer than the usual load balancer keeps it. */
  readonly keepAliveTimeoutMs: number;
  /** How long `stop` waits for requests that are being answered. */
  readonly stopTimeoutMs: number;
  readonly enableGzip: boolean;
  /** Origins that scripts of other pages may call from, `*` for any. Empty: none. */
  readonly corsOrigins: readonly string[];
  /** Addresses and networks whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[];
  /** The built web interface. Unset: `/` answers 404. */
  readonly webDirectory?: string;
  /**
   * Check every answer against its schema: a mismatch, or a field the schema does not have, becomes a 500.
   * For tests; in production answers go out as the handler gave them, which costs nothing.
   */
  readonly validateResponses: boolean;
}

export const DEFAULT_API_SETTINGS: ApiSettings = {
  host: '127.0.0.1',
  port: 9000,
  maxBodySize: 10 * 1024 * 1024,
  maxHeaderSize: 8192,
  maxConnections: 10_000,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 75_000,
  stopTimeoutMs: 3000,
  enableGzip: true,
  corsOrigins: [],
  trustedProxies: [],
  validateResponses: false,
};
