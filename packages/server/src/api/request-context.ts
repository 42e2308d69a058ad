import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticationResult, Authenticator, Principal } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { clientAddress } from './client-address.ts';
import { authenticateRequest } from './gate.ts';
import type { AuthenticateOptions, RouteRequest } from './route.ts';

export interface ContextDeps {
  readonly authenticator: Authenticator;
  readonly logger: Logger;
  /** Aborted when the node stops. */
  readonly stopping: AbortSignal;
}

/** What a handler receives. The values are getters, because most handlers use only two or three of them. */
export class RequestContext implements RouteRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #deps: ContextDeps;
  #signal: AbortSignal | undefined;

  constructor(deps: ContextDeps, reply: FastifyReply, params: unknown, query: unknown, body: unknown) {
    this.#deps = deps;
    this.#request = reply.request;
    this.#reply = reply;
    this.params = params;
    this.query = query;
    this.body = body;
  }

  get principal(): Principal | undefined {
    return this.#request.principal;
  }

  get remoteAddress(): string {
    return clientAddress(this.#request);
  }

  get path(): string {
    const { url } = this.#request;
    const queryStart = url.indexOf('?');
    return queryStart < 0 ? url : url.slice(0, queryStart);
  }

  get headers(): Readonly<Record<string, string | string[] | undefined>> {
    return this.#request.headers;
  }

  get logger(): Logger {
    return this.#deps.logger;
  }

  get isSecure(): boolean {
    return this.#request.protocol === 'https';
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const disconnected = new AbortController();
      // The response, not the request, which closes as soon as its body has been read.
      const response = this.#reply.raw;
      response.once('close', () => {
        if (!response.writableFinished) disconnected.abort();
      });
      this.#signal = AbortSignal.any([disconnected.signal, this.#deps.stopping]);
    }
    return this.#signal;
  }

  authenticate(options?: AuthenticateOptions): AuthenticationResult | Promise<AuthenticationResult> {
    return authenticateRequest(this.#deps.authenticator, this.#request, options);
  }
}
