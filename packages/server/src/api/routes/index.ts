import type { Auth } from '#auth/index.ts';
import type { SearchService } from '#search/service.ts';
import type { Route } from '../route.ts';
import { alarmCallbackRoutes, type NotificationRouteDeps } from './alarm-callbacks.ts';
import { type AlertConditionRouteDeps, alertConditionRoutes } from './alert-conditions.ts';
import { auditRoutes } from './audit.ts';
import { type ClusterConfigRouteDeps, clusterConfigRoutes } from './cluster-config.ts';
import { type ClusterStatsRouteDeps, clusterStatsRoutes } from './cluster-stats.ts';
import { deflectorRoutes } from './deflector.ts';
import { type EventDefinitionRouteDeps, eventDefinitionRoutes } from './event-definitions.ts';
import { eventNotificationRoutes } from './event-notifications.ts';
import { type EventRouteDeps, eventRoutes } from './events.ts';
import { exportJobRoutes } from './export-jobs.ts';
import { type ExtractorToolRouteDeps, extractorToolRoutes } from './extractor-tools.ts';
import { type ExtractorRouteDeps, extractorRoutes } from './extractors.ts';
import { fieldLinkRoutes } from './field-links.ts';
import { type FieldMappingRouteDeps, fieldMappingRoutes } from './field-mappings.ts';
import { fieldRoutes } from './fields.ts';
import { type IndexSetTemplateRouteDeps, indexSetTemplateRoutes } from './index-set-templates.ts';
import { type IndexSetRouteDeps, indexSetRoutes } from './index-sets.ts';
import { type IndexerRouteDeps, indexerRoutes } from './indexer.ts';
import { type InputStateRouteDeps, inputStateRoutes } from './input-states.ts';
import { inputRoutes } from './inputs.ts';
import { type LookupRouteDeps, lookupRoutes } from './lookup.ts';
import { messageExportRoutes } from './message-exports.ts';
import { type MessageRouteDeps, messageRoutes } from './messages.ts';
import { type NodeRouteDeps, nodeRoutes } from './node.ts';
import { type OutputRouteDeps, outputRoutes } from './outputs.ts';
import { permissionRoutes } from './permissions.ts';
import { type PipelineRouteDeps, pipelineRoutes } from './pipelines.ts';
import { roleRoutes } from './roles.ts';
import { type RootRouteDeps, rootRoutes } from './root.ts';
import { savedSearchRoutes } from './saved-searches.ts';
import { searchHistogramRoutes } from './search-histogram.ts';
import { searchJobRoutes } from './search-jobs.ts';
import { searchMatchRoutes } from './search-match.ts';
import { searchPatternRoutes } from './search-patterns.ts';
import { searchQueryRoutes } from './search-query.ts';
import { scriptingSearchRoutes } from './search-scripting.ts';
import { type SearchTailRouteDeps, searchTailRoutes } from './search-tail.ts';
import { universalSearchRoutes } from './search-universal.ts';
import { viewSearchRoutes } from './search-views.ts';
import { sessionRoutes } from './sessions.ts';
import { type StreamAlertRouteDeps, streamAlertRoutes } from './stream-alerts.ts';
import { streamOutputRoutes } from './stream-outputs.ts';
import { type StreamRouteDeps, streamRoutes } from './streams.ts';
import { type PluginRouteDeps, pluginRoutes } from './system-plugins.ts';
import { tokenRoutes } from './tokens.ts';
import { toolRoutes } from './tools.ts';
import { type UrlAllowlistRouteDeps, urlAllowlistRoutes } from './url-allowlist.ts';
import { userRoutes } from './users.ts';

export interface RouteDeps {
  readonly root: RootRouteDeps;
  readonly auth: Auth;
  readonly node: NodeRouteDeps;
  readonly inputs: InputStateRouteDeps;
  readonly extractors: ExtractorRouteDeps & ExtractorToolRouteDeps;
  readonly streams: StreamRouteDeps;
  readonly alertNotifications: NotificationRouteDeps;
  readonly alerts: AlertConditionRouteDeps & StreamAlertRouteDeps & EventDefinitionRouteDeps & EventRouteDeps;
  readonly outputs: OutputRouteDeps;
  readonly plugins: PluginRouteDeps;
  readonly pipelines: PipelineRouteDeps;
  readonly lookup: LookupRouteDeps['lookup'];
  readonly urlAllowlist: UrlAllowlistRouteDeps['urlAllowlist'];
  readonly clusterConfigs: ClusterConfigRouteDeps['clusterConfigs'];
  readonly storage: IndexSetRouteDeps &
    IndexSetTemplateRouteDeps &
    FieldMappingRouteDeps &
    IndexerRouteDeps &
    ClusterStatsRouteDeps;
  readonly search: SearchService;
  readonly parseMessage: MessageRouteDeps['parseMessage'];
  readonly tail: SearchTailRouteDeps;
}

/** Every documented route of the API. A new resource is one line here. */
export function allRoutes(deps: RouteDeps): Route[] {
  const { search, parseMessage } = deps;
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
    ...extractorRoutes(deps.extractors),
    ...streamRoutes(deps.streams),
    ...alertConditionRoutes(deps.alerts),
    ...streamAlertRoutes(deps.alerts),
    ...alarmCallbackRoutes(deps.alertNotifications),
    ...eventNotificationRoutes(deps.alertNotifications),
    ...eventDefinitionRoutes(deps.alerts),
    ...eventRoutes(deps.alerts),
    ...outputRoutes(deps.outputs),
    ...streamOutputRoutes(deps.outputs),
    ...pluginRoutes(deps.plugins),
    ...pipelineRoutes(deps.pipelines),
    ...lookupRoutes(deps),
    ...urlAllowlistRoutes(deps),
    ...clusterConfigRoutes(deps),
    ...indexSetTemplateRoutes(deps.storage),
    ...fieldMappingRoutes(deps.storage),
    ...indexSetRoutes(deps.storage),
    ...deflectorRoutes(deps.storage),
    ...indexerRoutes(deps.storage),
    ...clusterStatsRoutes(deps.storage),
    ...messageRoutes({ messages: search.messages, singleMessages: search.singleMessages, parseMessage }),
    ...messageExportRoutes(search),
    ...exportJobRoutes(search),
    ...fieldRoutes(search),
    ...fieldLinkRoutes(search),
    ...searchHistogramRoutes(search),
    ...searchMatchRoutes(search),
    ...searchPatternRoutes(search),
    ...searchQueryRoutes(search),
    ...savedSearchRoutes(search),
    ...universalSearchRoutes(search),
    ...scriptingSearchRoutes(search),
    ...viewSearchRoutes({
      viewJobs: search.viewJobs,
      storedViews: search.storedViews,
      nodeId: deps.root.nodeId,
    }),
    ...searchJobRoutes({
      viewJobs: search.viewJobs,
      nodeId: deps.root.nodeId,
      nodeCalls: deps.node.nodeCalls,
    }),
    ...searchTailRoutes(deps.tail),
    ...toolRoutes(search),
    ...extractorToolRoutes(deps.extractors),
  ];
}

/**
 * The same routes without services, for the documentation and for checks of their declarations. This works because
 * factories only pass services on to handlers, which are not called here.
 */
export function routesWithoutParts(): Route[] {
  const anything: RouteDeps = new Proxy(Object.create(null), {
    get: (_parts, name) => (name === Symbol.toPrimitive ? () => 'part' : anything),
  });
  return allRoutes(anything);
}
