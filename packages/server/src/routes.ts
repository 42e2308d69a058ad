import {
  auditRoutes,
  deflectorRoutes,
  fieldRoutes,
  type IndexerRouteDeps,
  type IndexSetRouteDeps,
  type InputStateRouteDeps,
  indexerRoutes,
  indexSetRoutes,
  inputRoutes,
  inputStateRoutes,
  type MessageRouteDeps,
  messageExportRoutes,
  messageRoutes,
  type NodeRouteDeps,
  nodeRoutes,
  permissionRoutes,
  type RootRouteDeps,
  type Route,
  roleRoutes,
  rootRoutes,
  type SearchTailRouteDeps,
  type StreamRouteDeps,
  savedSearchRoutes,
  scriptingSearchRoutes,
  searchPatternRoutes,
  searchQueryRoutes,
  searchTailRoutes,
  sessionRoutes,
  streamRoutes,
  tokenRoutes,
  universalSearchRoutes,
  userRoutes,
  viewSearchRoutes,
} from '#api/index.ts';
import type { Auth } from '#auth/index.ts';
import type { SearchService } from '#search/service.ts';

export interface RouteDeps {
  readonly root: RootRouteDeps;
  readonly auth: Auth;
  readonly node: NodeRouteDeps;
  readonly inputs: InputStateRouteDeps;
  readonly streams: StreamRouteDeps;
  readonly storage: IndexSetRouteDeps & IndexerRouteDeps;
  readonly search: SearchService;
  readonly parseMessage: MessageRouteDeps['parseMessage'];
  readonly tail: SearchTailRouteDeps;
}

/** Every documented route of the API. A new resource is one line here. */
export function allRoutes(deps: RouteDeps): Route[] {
  return [
    ...rootRoutes(deps.root),
    ...userRoutes(deps.auth),
    ...roleRoutes(deps.auth),
    ...tokenRoutes(deps.auth),
    ...sessionRoutes(deps.auth),
    ...permissionRoutes(),
    ...auditRoutes(deps.auth),
    ...nodeRoutes(deps.node),
    ...inputRoutes(deps.inputs),
    ...inputStateRoutes(deps.inputs),
    ...streamRoutes(deps.streams),
    ...indexSetRoutes(deps.storage),
    ...deflectorRoutes(deps.storage),
    ...indexerRoutes(deps.storage),
    ...messageRoutes({ ...deps.search, parseMessage: deps.parseMessage }),
    ...messageExportRoutes(deps.search),
    ...fieldRoutes(deps.search),
    ...searchPatternRoutes(deps.search),
    ...searchQueryRoutes(deps.search),
    ...savedSearchRoutes(deps.search),
    ...universalSearchRoutes(deps.search),
    ...scriptingSearchRoutes(deps.search),
    ...viewSearchRoutes({ ...deps.search, nodeId: deps.root.nodeId }),
    ...searchTailRoutes(deps.tail),
  ];
}

/**
 * The same routes with nothing behind them, for the documentation and for checks of what they declare:
 * factories only pass their parts on to handlers, which nobody calls here.
 */
export function routesWithoutParts(): Route[] {
  const anything: RouteDeps = new Proxy(Object.create(null), {
    get: (_parts, name) => (name === Symbol.toPrimitive ? () => 'part' : anything),
  });
  return allRoutes(anything);
}
