export type { AnyReply, Reply, ReplyHeaders } from './reply.ts';
export { emptyReply, rawReply, reply } from './reply.ts';
export type {
  HandlerResult,
  ResponseDeclaration,
  ResponseDeclarations,
  Route,
  RouteDefinition,
  RouteMethod,
  RoutePermission,
  RouteRequest,
} from './route.ts';
export { defineRoute } from './route.ts';
export { type RootRouteDeps, rootRoutes } from './routes/root.ts';
export type { Api, ApiDeps } from './server.ts';
export { createApi } from './server.ts';
export type { ApiSettings } from './settings.ts';
export { DEFAULT_API_SETTINGS } from './settings.ts';
