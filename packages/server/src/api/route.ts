import type { ErrorCode, PermissionName } from '@millrace/contract';
import type { z } from 'zod';
import type { AuthenticationResult, Principal } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { AnyReply, Reply } from './reply.ts';

/**
 * A route is data: its path, who may call it, what goes in and out, and a thin handler that calls one function of a
 * service. Validation, the OpenAPI document, the API browser, the permission check and the fuzz tests all follow from
 * that data.
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

/** `public`: anybody. `authenticated`: any user; the handler uses `principal.can` to decide what they see. */
export type RoutePermission =
  | { readonly kind: 'public' }
  | { readonly kind: 'authenticated' }
  | PermissionName;

/** A successful answer: JSON with a schema, no body (`null`), or another content type. */
export type ResponseDeclaration =
  | z.ZodType
  | null
  | { readonly contentType: string; readonly description: string; readonly schema?: z.ZodType };

export type ResponseDeclarations = { readonly [status: number]: ResponseDeclaration };

/** What a handler may return: the body of a declared JSON response, nothing for `null`, or a `reply(...)`. */
export type HandlerResult<Responses extends ResponseDeclarations> =
  | { [Status in keyof Responses]: BodyOf<Responses[Status]> }[keyof Responses]
  | ReplyOf<Responses>;

/** The result of a handler, async or not, that returns nothing. */
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

/** Path parameters, percent-decoded but not parsed. */
type PathTexts<Params> = Params extends z.ZodType
  ? { readonly [Name in keyof z.output<Params>]: string }
  : undefined;

/** What a handler receives. */
export interface RouteRequest<
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Caller = Principal | undefined,
> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The caller. Always undefined on public routes: see `authenticate`. */
  readonly principal: Caller;
  /** The client's address, as reported by trusted proxies. */
  readonly remoteAddress: string;
  /** The requested path, without the query. */
  readonly path: string;
  /** By lower-case name. Prefer declared parameters; this is for headers such as `accept`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly logger: Logger;
  /** Aborted when the client disconnects or the node stops: for streams and long searches. */
  readonly signal: AbortSignal;
  /** Whether the client uses TLS, as reported by trusted proxies: for the `Secure` flag of a cookie. */
  readonly isSecure: boolean;
  /** For public routes that need the caller anyway, and for long answers that must check the caller again. */
  authenticate(options?: AuthenticateOptions): AuthenticationResult | Promise<AuthenticationResult>;
}

export interface AuthenticateOptions {
  /** Whether this counts as a use that extends the session. */
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
  /** The resource it belongs to; groups routes in the API browser. */
  readonly tag: string;
  /** One line, in the imperative: "Create a stream". */
  readonly summary: string;
  readonly description?: string;
  readonly permission: Permission;
  /** The instance, from the path, that the permission must cover. Checked before the body is read. */
  readonly instance?: (params: PathTexts<Params>) => string;
  /** Every `:name` of the path. */
  readonly params?: Params;
  /** Unknown query parameters are ignored. `pretty` works everywhere and need not be declared. */
  readonly query?: Query;
  /** Objects must be `z.strictObject` (knows its properties) or, deliberately, `z.looseObject`. */
  readonly body?: Body;
  /** Not a route of Graylog: nothing is converted or left out, as it is for its clients (see `lenient-body.ts`). */
  readonly strictBody?: boolean;
  /** What a body of the type `text/plain` contains. It is passed on as it is: the schema of the body must take a string. */
  readonly textBody?: string;
  /** Overrides the server's limit, in bytes. Public routes cannot go beyond `MAX_PUBLIC_BODY_SIZE`. */
  readonly maxBodySize?: number;
  /** Successful answers by status. The first one applies if the handler returns a plain body. */
  readonly responses: Responses;
  /** Other content types of the first answer, selected by `Accept`, with descriptions: see `preferredType`. */
  readonly alternatives?: Readonly<Record<string, string>>;
  /**
   * Error codes in addition to those that follow from the declaration (authentication, permission, CSRF header,
   * validation, internal error). May be empty, but not missing.
   */
  readonly errors: readonly ErrorCode[];
  /** Secret path parameters: masked in the access log. */
  readonly secretParams?: readonly string[];
  /** Excluded from the OpenAPI document. For pages and assets only. */
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

/** A route with its type parameters erased, for lists of routes. */
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
  readonly strictBody?: boolean;
  readonly textBody?: string;
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

/** Declares a route. Only checks types: handlers receive what their schemas declare. */
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
