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
