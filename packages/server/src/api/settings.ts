import type { Secret } from '#core/index.ts';

/** How the API listens and what it accepts. `node/settings.ts` derives it from the configuration. */
export interface ApiSettings {
  readonly host: string;
  /** 0: any free port, see `Api.address()`. */
  readonly port: number;
  /** PEM texts. Without it the API uses plain HTTP. */
  readonly tls?: {
    readonly certificate: string;
    readonly key: Secret;
    readonly keyPassword?: Secret;
  };
  /** Of a request that needs a user, in bytes. Public routes take at most `MAX_PUBLIC_BODY_SIZE`. */
  readonly maxBodySize: number;
  /** Of the request line and all headers, in bytes. */
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
  /** How long a client may take to send its headers, and its whole request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long an idle connection stays open: longer than load balancers usually keep it. */
  readonly keepAliveTimeoutMs: number;
  /** How long a client may read nothing of a large answer. */
  readonly stalledAnswerTimeoutMs: number;
  /** How long `stop` lets running requests go on before it ends them, but for those that are being answered already. */
  readonly lastAnswersTimeoutMs: number;
  /** How long `stop` waits for requests that it has ended. */
  readonly stopTimeoutMs: number;
  readonly enableGzip: boolean;
  /** Origins whose scripts may call the API. There is no wildcard: `*` matches no origin. */
  readonly corsOrigins: readonly string[];
  /** Addresses and networks whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** The configuration shows that people reach this node through a proxy. */
  readonly behindProxy: boolean;
  /** The built web interface. If unset, `/` answers 404. */
  readonly webDirectory?: string;
  /**
   * Check every answer against its schema: a mismatch or an undeclared field becomes a 500. For tests; production sends
   * answers unchecked, which is faster.
   */
  readonly validateResponses: boolean;
}

/** A log-in needs a few hundred bytes. Nobody has more of the node's memory and time before they have logged in. */
export const MAX_PUBLIC_BODY_SIZE = 16 * 1024;

export const DEFAULT_API_SETTINGS: ApiSettings = {
  host: '127.0.0.1',
  port: 9000,
  maxBodySize: 10 * 1024 * 1024,
  maxHeaderSize: 8192,
  maxConnections: 10_000,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 75_000,
  stalledAnswerTimeoutMs: 60_000,
  lastAnswersTimeoutMs: 3000,
  stopTimeoutMs: 3000,
  enableGzip: true,
  corsOrigins: [],
  trustedProxies: [],
  behindProxy: false,
  validateResponses: false,
};
