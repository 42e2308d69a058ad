import { FAILURES_STREAM } from '../lib/messages/index.ts';

/** Graylog's addresses, in bookmarks and in the links of its mails, and where the same is here. The first fits. */
export const PATHS: readonly (readonly [pattern: string, ours: string])[] = [
  ['/gettingstarted', '/welcome'],
  ['/getting-started', '/welcome'],
  ['/dashboards/*', '/search'],
  ['/dashboards', '/search'],
  ['/sources', '/search'],
  ['/events', '/alerts'],
  ['/alerts/definitions/*', '/alerts/conditions'],
  ['/alerts/definitions', '/alerts/conditions'],
  ['/alerts/notifications/*', '/alerts/notifications'],
  ['/streams/:id/alerts/:alert', '/alerts/:alert'],
  ['/streams/:id/edit', '/streams/:id/rules'],
  ['/nodes', '/overview'],
  ['/system/overview', '/overview'],
  ['/system/cluster', '/overview'],
  ['/system/nodes', '/overview'],
  ['/system/nodes/:id', '/nodes/:id'],
  ['/system/metrics/node/:id', '/nodes/:id'],
  ['/system/metrics/*', '/overview'],
  ['/system/threaddump/:id', '/nodes/:id?tab=threads'],
  ['/system/processbufferdump/:id', '/nodes/:id'],
  ['/system/logging', '/overview'],
  ['/system/loggers', '/overview'],
  ['/system/log', '/overview'],
  ['/system/inputs', '/inputs'],
  ['/system/inputs/:node/:input/extractors/*', '/inputs/:input?tab=extractors'],
  ['/system/inputs/:node/:input/extractors', '/inputs/:input?tab=extractors'],
  ['/system/inputs/:node', '/inputs'],
  ['/system/outputs', '/outputs'],
  ['/system/indices/failures', `/search?s=${FAILURES_STREAM}&t=24h`],
  ['/system/indices', '/index-sets'],
  ['/system/index_sets/create', '/index-sets/new'],
  ['/system/index_sets/:id/configuration', '/index-sets/:id/settings'],
  ['/system/index_sets/:id', '/index-sets/:id'],
  ['/system/pipelines/simulate', '/pipelines/simulator'],
  ['/system/pipelines/rules/:id', '/pipelines/rules/:id'],
  ['/system/pipelines/rules', '/pipelines/rules'],
  ['/system/pipelines/:id', '/pipelines/:id'],
  ['/system/pipelines', '/pipelines'],
  ['/system/lookuptables/data_adapters', '/pipelines/lookup?kind=adapters'],
  ['/system/lookuptables/caches', '/pipelines/lookup?kind=caches'],
  ['/system/lookuptables/*', '/pipelines/lookup'],
  ['/system/lookuptables', '/pipelines/lookup'],
  ['/system/grokpatterns', '/pipelines/grok'],
  ['/system/configurations/*', '/system/settings'],
  ['/system/configurations', '/system/settings'],
  ['/system/authentication/users/new', '/users/new'],
  ['/system/authentication/users/edit/:name', '/users/:name'],
  ['/system/authentication/roles', '/roles'],
  ['/system/authzroles/*', '/roles'],
  ['/system/authzroles', '/roles'],
  ['/system/authentication/*', '/users'],
  ['/system/authentication', '/users'],
  ['/system/users/new', '/users/new'],
  ['/system/users/edit/:name', '/users/:name'],
  ['/system/users/tokens/:name', '/me/tokens'],
  ['/system/users/:name/edit', '/users/:name'],
  ['/system/users/:name', '/users/:name'],
  ['/system/users', '/users'],
  ['/system/roles/:name', '/roles/:name'],
  ['/system/roles', '/roles'],
];

const COMPILED = PATHS.map(([pattern, ours]) => ({
  // `:name` is one part of a path, a star at the end the rest of it.
  pattern: new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)').replace(/\*$/, '.+')}/?$`),
  ours,
}));

/** Our address of a page of Graylog, with its search part; undefined for what is no page of Graylog. */
export function fromGraylogPath(pathname: string): string | undefined {
  for (const { pattern, ours } of COMPILED) {
    const groups = pattern.exec(pathname);
    if (groups !== null) return ours.replace(/:(\w+)/g, (_, name: string) => groups.groups?.[name] ?? '');
  }
  return undefined;
}
