export type { OpenApiDocument, OpenApiInfo, OpenApiOperation } from './openapi/document.ts';
export { openApiDocument } from './openapi/document.ts';
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
export { type AlertConditionRouteDeps, alertConditionRoutes } from './routes/alert-conditions.ts';
export { apiBrowserRoutes } from './routes/api-browser.ts';
export { auditRoutes } from './routes/audit.ts';
export { clusterConfigRoutes } from './routes/cluster-config.ts';
export { clusterStatsRoutes } from './routes/cluster-stats.ts';
export { type CountRouteDeps, countRoutes } from './routes/count.ts';
export { deflectorRoutes } from './routes/deflector.ts';
export { type EventDefinitionRouteDeps, eventDefinitionRoutes } from './routes/event-definitions.ts';
export { type EventRouteDeps, eventRoutes } from './routes/events.ts';
export { type ExtractorToolRouteDeps, extractorToolRoutes } from './routes/extractor-tools.ts';
export { type ExtractorRouteDeps, extractorRoutes } from './routes/extractors.ts';
export { fieldMappingRoutes } from './routes/field-mappings.ts';
export { type FieldRouteDeps, fieldRoutes } from './routes/fields.ts';
export { allRoutes, type RouteDeps, routesWithoutParts } from './routes/index.ts';
export { indexSetTemplateRoutes } from './routes/index-set-templates.ts';
export { type IndexSetRouteDeps, indexSetRoutes } from './routes/index-sets.ts';
export { type IndexerRouteDeps, indexerRoutes } from './routes/indexer.ts';
export { type InputStateRouteDeps, inputStateRoutes } from './routes/input-states.ts';
export { type InputRouteDeps, inputRoutes } from './routes/inputs.ts';
export { type LookupRouteDeps, lookupRoutes } from './routes/lookup.ts';
export { type MessageExportRouteDeps, messageExportRoutes } from './routes/message-exports.ts';
export { type MessageRouteDeps, messageRoutes } from './routes/messages.ts';
export { type NodeRouteDeps, nodeRoutes } from './routes/node.ts';
export { type OutputRouteDeps, outputRoutes } from './routes/outputs.ts';
export { permissionRoutes } from './routes/permissions.ts';
export { type PipelineRouteDeps, pipelineRoutes } from './routes/pipelines.ts';
export { type RoleRouteDeps, roleRoutes } from './routes/roles.ts';
export { type RootRouteDeps, rootRoutes } from './routes/root.ts';
export { type SavedSearchRouteDeps, savedSearchRoutes } from './routes/saved-searches.ts';
export { type SearchHistogramRouteDeps, searchHistogramRoutes } from './routes/search-histogram.ts';
export { type SearchPatternRouteDeps, searchPatternRoutes } from './routes/search-patterns.ts';
export { type SearchQueryRouteDeps, searchQueryRoutes } from './routes/search-query.ts';
export { type ScriptingSearchRouteDeps, scriptingSearchRoutes } from './routes/search-scripting.ts';
export { type SearchTailRouteDeps, searchTailRoutes } from './routes/search-tail.ts';
export { type UniversalSearchRouteDeps, universalSearchRoutes } from './routes/search-universal.ts';
export { type ViewSearchRouteDeps, viewSearchRoutes } from './routes/search-views.ts';
export { sessionRoutes } from './routes/sessions.ts';
export { type StreamAlertRouteDeps, streamAlertRoutes } from './routes/stream-alerts.ts';
export { type StreamOutputRouteDeps, streamOutputRoutes } from './routes/stream-outputs.ts';
export { type StreamRouteDeps, streamRoutes } from './routes/streams.ts';
export { tokenRoutes } from './routes/tokens.ts';
export { type UrlAllowlistRouteDeps, urlAllowlistRoutes } from './routes/url-allowlist.ts';
export { type UserRouteDeps, userRoutes } from './routes/users.ts';
export type { Api, ApiDeps } from './server.ts';
export { createApi } from './server.ts';
export type { ApiSettings } from './settings.ts';
export { DEFAULT_API_SETTINGS } from './settings.ts';
