import type { Auth } from '#auth/index.ts';
import type { SearchService } from '#search/service.ts';
import type { Route } from '../route.ts';
import { auditRoutes } from './audit.ts';
import { deflectorRoutes } from './deflector.ts';
import { fieldRoutes } from './fields.ts';
import { type IndexSetRouteDeps, indexSetRoutes } from './index-sets.ts';
import { type IndexerRouteDeps, indexerRoutes } from './indexer.ts';
import { type InputStateRouteDeps, inputStateRoutes } from './input-states.ts';
import { inputRoutes } from './inputs.ts';
import { messageExportRoutes } from './message-exports.ts';
import { type MessageRouteDeps, messageRoutes } from './messages.ts';
import { type NodeRouteDeps, nodeRoutes } from './node.ts';
import { permissionRoutes } from './permissions.ts';
import { roleRoutes } from './roles.ts';
import { type RootRouteDeps, rootRoutes } from './root.ts';
import { savedSearchRoutes } from './saved-searches.ts';
import { searchPatternRoutes } from './search-patterns.ts';
import { searchQueryRoutes } from './search-query.ts';
import { scriptingSearchRoutes } from './search-scripting.ts';
import { type SearchTailRouteDeps, searchTailRoutes } from './search-tail.ts';
import { universalSearchRoutes } from './search-universal.ts';
import { viewSearchRoutes } from './search-views.ts';
import { sessionRoutes } from './sessions.ts';
import { type StreamRouteDeps, streamRoutes } from './streams.ts';
import { tokenRoutes } from './tokens.ts';
import { userRoutes } from './users.ts';

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
