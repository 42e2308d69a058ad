import type { ErrorCode, PermissionName } from '@millrace/contract';
import type { z } from 'zod';
import type { AuthenticationResult, Principal } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { AnyReply, Reply } from './reply.ts';

/**
 * A route is data: what it is called, who may call it, what goes in and out, and a thin handler that calls
 * one function of a service. Validation, the OpenAPI document, the API browser, the permission check and the
 * fuzz tests all follow from that data.
 *
 *   export function streamRoutes(deps: { streams: StreamService }): Route[] {
 *     return [
 *       defineRoute({
 *         method: 'GET',
 *         path: '/streams/:streamId',
 *         tag: 'Streams',
 *         summary: 'Get one stream',
 *         permission: 'streams:read',
 *         instance: (params) => params.streamId,
 *         params: z.object({ streamId: entityIdParameter }),
 *         responses: { 200: streamSchema },
 *         errors: ['not_found'],
 *         handler: ({ params }) => deps.streams.get(params.streamId),
 *       }),
 *     ];
 *   }
 */

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `public`: anybody. `authenticated`: any user; the handler decides by `principal.can` what they see. */
export type RoutePermission =
  | { readonly kind: 'public' }
  | { readonly kind: 'authenticated' }
  | PermissionName;

/** A successful answer: JSON by its schema, nothing (`null`), or something else by its content type. */
export type ResponseDeclaration =
  | z.ZodType
  | null
  | { readonly contentType: string; readonly description: string; readonly schema?: z.ZodType };

export type ResponseDeclarations = { readonly [status: number]: ResponseDeclaration };

/** What a handler may return: the body of a declared JSON response, nothing for `null`, or a `reply(...)`. */
export type HandlerResult<Responses extends ResponseDeclarations> =
  | { [Status in keyof Responses]: BodyOf<Responses[Status]> }[keyof Responses]
  | ReplyOf<Responses>;

/** What a handler returns that has nothing to say; an async one counts too. */
type NoBody = ReturnType<() => void>;

type BodyOf<Declaration> = Declaration extends z.ZodType
  ? z.input<Declaration>
  : Declaration extends null
    ? NoBody
    : never;

type ReplyOf<Responses extends ResponseDeclarations> = {
  [Status in keyof Responses & number]: Reply<
    Status,
    Responses[Status] extends z.ZodType ? z.input<Responses[Status]> : undefined
  >;
}[keyof Responses & number];

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Path parameters as they stand in the path, percent-decoded. */
type PathTexts<Params> = Params extends z.ZodType
  ? { readonly [Name in keyof z.output<Params>]: string }
  : undefined;

/** What a handler gets. */
export interface RouteRequest<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Caller = Principal | undefined,
> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Who calls. Undefined on public routes, whoever calls: see `authenticate`. */
  readonly principal: Caller;
  /** The client's address, seen through trusted proxies. */
  readonly remoteAddress: string;
  /** The path as it was asked for, without the query. */
  readonly path: string;
  /** Lower-case names. Prefer declared parameters; this is for `accept` and the like. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly logger: Logger;
  /** Aborted when the client goes away or the node stops: for streams and long searches. */
  readonly signal: AbortSignal;
  /** Whether the answer goes over TLS, seen through trusted proxies: for the `Secure` flag of a cookie. */
  readonly isSecure: boolean;
  /** For public routes that want to know who calls all the same, and for answers that outlive a check of who calls. */
  authenticate(options?: AuthenticateOptions): AuthenticationResult | Promise<AuthenticationResult>;
}

export interface AuthenticateOptions {
  /** False: this is no use of the session that would prolong it. */
  readonly extendSession?: boolean;
}

export interface RouteDefinition<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodType | undefined,
  Responses extends ResponseDeclarations,
  Permission extends RoutePermission,
> {
  readonly method: RouteMethod;
  /** Relative to `/api`, parameters as `:name`: `/streams/:streamId/rules`. */
  readonly path: string;
  /** The resource it belongs to: the group in the API browser. */
  readonly tag: string;
  /** One line, in the imperative: "Create a stream". */
  readonly summary: string;
  readonly description?: string;
  readonly permission: Permission;
  /** The instance the permission is asked for, from the path. Checked before the body is read. */
  readonly instance?: (params: PathTexts<Params>) => string;
  /** Every `:name` of the path. */
  readonly params?: Params;
  /** Unknown query parameters are tolerated. `pretty` works everywhere and need not be declared. */
  readonly query?: Query;
  /** Objects must be `z.strictObject` (unknown properties are refused) or `z.looseObject` on purpose. */
  readonly body?: Body;
  /** Overrides the server's limit, in bytes. */
  readonly maxBodySize?: number;
  /** Successful answers by status. The first one is used when the handler returns a plain body. */
  readonly responses: Responses;
  /** Other content types of the first answer, by what `Accept` asks for, with a description: see `preferredType`. */
  readonly alternatives?: Readonly<Record<string, string>>;
  /**
   * Codes this route adds to those every route of its kind has (authentication, permission, CSRF header,
   * validation, internal error). Empty when there are none: the list must be there.
   */
  readonly errors: readonly ErrorCode[];
  /** Path parameters that are secrets: masked in the access log. */
  readonly secretParams?: readonly string[];
  /** Left out of the OpenAPI document: pages and assets only. */
  readonly undocumented?: boolean;
  readonly deprecated?: boolean;
  readonly handler: (
    request: RouteRequest<
      Parsed<Params>,
      Parsed<Query>,
      Parsed<Body>,
      Permission extends { kind: 'public' } ? undefined : Principal
    >,
  ) => HandlerResult<Responses> | Promise<HandlerResult<Responses>>;
}

/** A route with its types erased, as lists hold them. */
export interface Route {
  readonly method: RouteMethod;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly permission: RoutePermission;
  readonly params?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  readonly maxBodySize?: number;
  readonly responses: ResponseDeclarations;
  readonly alternatives?: Readonly<Record<string, string>>;
  readonly errors: readonly ErrorCode[];
  readonly secretParams?: readonly string[];
  readonly undocumented?: boolean;
  readonly deprecated?: boolean;
  instance?(params: Readonly<Record<string, string>>): string;
  handler(request: RouteRequest): unknown;
}

/** Declares a route. Does nothing but check types: handlers see what their schemas say. */
export function defineRoute<
  const Responses extends ResponseDeclarations,
  Permission extends RoutePermission,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: RouteDefinition<Params, Query, Body, Responses, Permission>): Route {
  return definition as RouteDefinition<Params, Query, Body, Responses, Permission> & Route;
}

export function isAnyReply(result: unknown): result is AnyReply {
  return typeof result === 'object' && result !== null && 'isReply' in result && result.isReply === true;
}
