import { compilePermissions } from '@millrace/contract/permission-set';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { fromGraylogLink } from '../features/search/graylog-link.ts';
import { reachableParts } from '../features/system/parts.ts';
import { isLoggedIn, meQuery } from '../lib/account/index.ts';
import { isUnauthenticated } from '../lib/api/index.ts';
import { ownPath, parseSearch, type SearchParams } from '../lib/url/index.ts';
import { fromGraylogPath } from './graylog-paths.ts';
import { NotFound, PageError } from './page-error.tsx';
import { Shell } from './shell/shell.tsx';
import { startPath } from './start-page.ts';

export interface RouterContext {
  readonly queryClient: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  // Values are text; each page reads its own with `pageParams`.
  validateSearch: (search: Record<string, unknown>): SearchParams => search as SearchParams,
  notFoundComponent: NotFound,
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  // Whoever is logged in, in another tab or by a bookmark, has nothing to do here.
  beforeLoad: async ({ context, search: { next } }) => {
    if (await isLoggedIn(context.queryClient)) throw redirect({ href: ownPath(next), replace: true });
  },
  component: lazyRouteComponent(() => import('../features/login/page.tsx'), 'LoginPage'),
});

/** Everything that needs a log-in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(meQuery);
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      const next = location.href === '/' ? {} : { next: location.href };
      throw redirect({ to: '/login', search: next, replace: true });
    }
  },
  component: Shell,
  errorComponent: PageError,
});

const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: async ({ context }) => {
    const [to = '/search', search = ''] = (await startPath(context.queryClient)).split('?');
    throw redirect({ to, search: parseSearch(search), replace: true });
  },
});

const welcome = createRoute({
  getParentRoute: () => shell,
  path: '/welcome',
  component: lazyRouteComponent(() => import('../features/welcome/page.tsx'), 'WelcomePage'),
});

const search = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  beforeLoad: ({ search: params }) => {
    const ours = fromGraylogLink(params);
    if (ours !== undefined) throw redirect({ to: '/search', search: ours, replace: true });
  },
  component: lazyRouteComponent(() => import('../features/search/page.tsx'), 'SearchPage'),
});

const savedSearch = createRoute({
  getParentRoute: () => shell,
  path: '/search/saved/$id',
  component: lazyRouteComponent(() => import('../features/search/saved/saved-page.tsx'), 'SavedSearchPage'),
});

const message = createRoute({
  getParentRoute: () => shell,
  path: '/messages/$index/$id',
  component: lazyRouteComponent(() => import('../features/search/message-page.tsx'), 'MessagePage'),
});

const streams = createRoute({
  getParentRoute: () => shell,
  path: '/streams',
  component: lazyRouteComponent(() => import('../features/streams/page.tsx'), 'StreamsPage'),
});

const newStream = createRoute({
  getParentRoute: () => shell,
  path: '/streams/new',
  component: lazyRouteComponent(() => import('../features/streams/new-page.tsx'), 'NewStreamPage'),
});

const streamRules = createRoute({
  getParentRoute: () => shell,
  path: '/streams/$id/rules',
  component: lazyRouteComponent(() => import('../features/streams/stream-page.tsx'), 'StreamRulesPage'),
});

const streamAlerts = createRoute({
  getParentRoute: () => shell,
  path: '/streams/$id/alerts',
  component: lazyRouteComponent(() => import('../features/streams/stream-page.tsx'), 'StreamAlertsPage'),
});

const streamOutputs = createRoute({
  getParentRoute: () => shell,
  path: '/streams/$id/outputs',
  component: lazyRouteComponent(() => import('../features/streams/stream-page.tsx'), 'StreamOutputsPage'),
});

const inputs = createRoute({
  getParentRoute: () => shell,
  path: '/inputs',
  component: lazyRouteComponent(() => import('../features/inputs/page.tsx'), 'InputsPage'),
});

const newInput = createRoute({
  getParentRoute: () => shell,
  path: '/inputs/new',
  component: lazyRouteComponent(() => import('../features/inputs/new-page.tsx'), 'NewInputPage'),
});

const input = createRoute({
  getParentRoute: () => shell,
  path: '/inputs/$id',
  component: lazyRouteComponent(() => import('../features/inputs/input-page.tsx'), 'InputPage'),
});

const outputs = createRoute({
  getParentRoute: () => shell,
  path: '/outputs',
  component: lazyRouteComponent(() => import('../features/outputs/page.tsx'), 'OutputsPage'),
});

const newOutput = createRoute({
  getParentRoute: () => shell,
  path: '/outputs/new',
  component: lazyRouteComponent(() => import('../features/outputs/new-page.tsx'), 'NewOutputPage'),
});

const output = createRoute({
  getParentRoute: () => shell,
  path: '/outputs/$id',
  component: lazyRouteComponent(() => import('../features/outputs/output-page.tsx'), 'OutputPage'),
});

const pipelines = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines',
  component: lazyRouteComponent(
    () => import('../features/pipelines/pipelines/pipelines-page.tsx'),
    'PipelinesPage',
  ),
});

const newPipeline = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines/new',
  component: lazyRouteComponent(
    () => import('../features/pipelines/pipelines/pipeline-page.tsx'),
    'NewPipelinePage',
  ),
});

const pipeline = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines/$id',
  component: lazyRouteComponent(
    () => import('../features/pipelines/pipelines/pipeline-page.tsx'),
    'PipelinePage',
  ),
});

const pipelineRules = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines/rules',
  component: lazyRouteComponent(() => import('../features/pipelines/rules/rules-page.tsx'), 'RulesPage'),
});

const newPipelineRule = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines/rules/new',
  component: lazyRouteComponent(() => import('../features/pipelines/rules/rule-page.tsx'), 'NewRulePage'),
});

const pipelineRule = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines/rules/$id',
  component: lazyRouteComponent(() => import('../features/pipelines/rules/rule-page.tsx'), 'RulePage'),
});

const pipelineSimulator = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines/simulator',
  component: lazyRouteComponent(() => import('../features/pipelines/simulator-page.tsx'), 'SimulatorPage'),
});

const grokPatterns = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines/grok',
  component: lazyRouteComponent(() => import('../features/pipelines/grok/grok-page.tsx'), 'GrokPage'),
});

const lookupTables = createRoute({
  getParentRoute: () => shell,
  path: '/pipelines/lookup',
  component: lazyRouteComponent(() => import('../features/pipelines/lookup/lookup-page.tsx'), 'LookupPage'),
});

const alerts = createRoute({
  getParentRoute: () => shell,
  path: '/alerts',
  component: lazyRouteComponent(() => import('../features/alerts/page.tsx'), 'OpenAlertsPage'),
});

const pastAlerts = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/past',
  component: lazyRouteComponent(() => import('../features/alerts/page.tsx'), 'PastAlertsPage'),
});

const alert = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/$id',
  beforeLoad: ({ location }) => leaveGraylogPath(location),
  component: lazyRouteComponent(() => import('../features/alerts/alert-page.tsx'), 'AlertPage'),
});

const conditions = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/conditions',
  component: lazyRouteComponent(() => import('../features/alerts/conditions-page.tsx'), 'ConditionsPage'),
});

const channels = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/notifications',
  component: lazyRouteComponent(
    () => import('../features/alerts/notifications-page.tsx'),
    'NotificationsPage',
  ),
});

const newChannel = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/notifications/new',
  component: lazyRouteComponent(() => import('../features/alerts/channel-page.tsx'), 'NewChannelPage'),
});

const channel = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/notifications/$id',
  component: lazyRouteComponent(() => import('../features/alerts/channel-page.tsx'), 'ChannelPage'),
});

const newCondition = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/conditions/new',
  component: lazyRouteComponent(() => import('../features/alerts/condition-page.tsx'), 'NewConditionPage'),
});

const condition = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/conditions/$id',
  component: lazyRouteComponent(() => import('../features/alerts/condition-page.tsx'), 'ConditionPage'),
});

const streamSettings = createRoute({
  getParentRoute: () => shell,
  path: '/streams/$id/settings',
  component: lazyRouteComponent(() => import('../features/streams/stream-page.tsx'), 'StreamSettingsPage'),
});

/** Links of Graylog, and addresses that people shorten. */
const streamAlone = createRoute({
  getParentRoute: () => shell,
  path: '/streams/$id',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/streams/$id/rules', params, replace: true });
  },
});

const indexSets = createRoute({
  getParentRoute: () => shell,
  path: '/index-sets',
  component: lazyRouteComponent(() => import('../features/index-sets/page.tsx'), 'IndexSetsPage'),
});

const newIndexSet = createRoute({
  getParentRoute: () => shell,
  path: '/index-sets/new',
  component: lazyRouteComponent(() => import('../features/index-sets/new-page.tsx'), 'NewIndexSetPage'),
});

const indexSet = createRoute({
  getParentRoute: () => shell,
  path: '/index-sets/$id',
  component: lazyRouteComponent(() => import('../features/index-sets/set-page.tsx'), 'IndexSetIndicesPage'),
});

const indexSetSettings = createRoute({
  getParentRoute: () => shell,
  path: '/index-sets/$id/settings',
  component: lazyRouteComponent(() => import('../features/index-sets/set-page.tsx'), 'IndexSetSettingsPage'),
});

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/overview',
  component: lazyRouteComponent(() => import('../features/overview/page.tsx'), 'OverviewPage'),
});

const node = createRoute({
  getParentRoute: () => shell,
  path: '/nodes/$id',
  component: lazyRouteComponent(() => import('../features/overview/node-page.tsx'), 'NodePage'),
});

const users = createRoute({
  getParentRoute: () => shell,
  path: '/users',
  component: lazyRouteComponent(() => import('../features/users/page.tsx'), 'UsersPage'),
});

const newUser = createRoute({
  getParentRoute: () => shell,
  path: '/users/new',
  component: lazyRouteComponent(() => import('../features/users/new-page.tsx'), 'NewUserPage'),
});

const user = createRoute({
  getParentRoute: () => shell,
  path: '/users/$name',
  component: lazyRouteComponent(() => import('../features/users/user-page.tsx'), 'UserPage'),
});

const roles = createRoute({
  getParentRoute: () => shell,
  path: '/roles',
  component: lazyRouteComponent(() => import('../features/users/roles-page.tsx'), 'RolesPage'),
});

/** Two parts, since a role may have any name. */
const newRole = createRoute({
  getParentRoute: () => shell,
  path: '/roles/-/new',
  component: lazyRouteComponent(() => import('../features/users/role-page.tsx'), 'NewRolePage'),
});

const role = createRoute({
  getParentRoute: () => shell,
  path: '/roles/$name',
  component: lazyRouteComponent(() => import('../features/users/role-page.tsx'), 'RolePage'),
});

const myTokens = createRoute({
  getParentRoute: () => shell,
  path: '/me/tokens',
  component: lazyRouteComponent(() => import('./profile-route.tsx'), 'TokensRoute'),
});

const me = createRoute({
  getParentRoute: () => shell,
  path: '/me',
  component: lazyRouteComponent(() => import('./profile-route.tsx'), 'ProfileRoute'),
});

/** Graylog's addresses, in bookmarks and in the links of its mails. */
const streamSearch = createRoute({
  getParentRoute: () => shell,
  path: '/streams/$id/search',
  beforeLoad: ({ params, search: found }) => {
    const ours = fromGraylogLink(found, params.id) ?? {};
    throw redirect({ to: '/search', search: ours, replace: true });
  },
});

/** Where a page of Graylog is here. */
function leaveGraylogPath({ pathname }: { readonly pathname: string }): void {
  const ours = fromGraylogPath(pathname);
  if (ours === undefined) return;
  const [to = '/', query = ''] = ours.split('?');
  throw redirect({ to, search: parseSearch(query), replace: true });
}

/** The first part that this user may see; there is one for everybody. */
const systemAlone = createRoute({
  getParentRoute: () => shell,
  path: '/system',
  beforeLoad: async ({ context }) => {
    const permissions = compilePermissions((await context.queryClient.ensureQueryData(meQuery)).permissions);
    const part = reachableParts(permissions)[0]?.name ?? 'licences';
    throw redirect({ to: '/system/$part', params: { part }, replace: true });
  },
});

const system = createRoute({
  getParentRoute: () => shell,
  path: '/system/$part',
  beforeLoad: ({ location }) => leaveGraylogPath(location),
  component: lazyRouteComponent(() => import('../features/system/page.tsx'), 'SystemPage'),
});

/** Inside of the shell, so that whoever mistyped an address still has the rail. */
const nowhere = createRoute({
  getParentRoute: () => shell,
  path: '$',
  beforeLoad: ({ location }) => leaveGraylogPath(location),
  component: NotFound,
});

/** Only development builds (`npm run dev`) have it; in others the bundler leaves it out. */
const gallery = createRoute({
  getParentRoute: () => root,
  path: '/-/components',
  component:
    import.meta.env.MODE === 'production'
      ? NotFound
      : lazyRouteComponent(() => import('../features/gallery/page.tsx'), 'GalleryPage'),
});

export const routeTree = root.addChildren([
  login,
  gallery,
  shell.addChildren([
    start,
    welcome,
    search,
    savedSearch,
    message,
    streams,
    newStream,
    streamRules,
    streamAlerts,
    streamOutputs,
    inputs,
    newInput,
    input,
    outputs,
    newOutput,
    output,
    pipelines,
    newPipeline,
    pipeline,
    pipelineRules,
    newPipelineRule,
    pipelineRule,
    pipelineSimulator,
    grokPatterns,
    lookupTables,
    alerts,
    pastAlerts,
    alert,
    conditions,
    newCondition,
    condition,
    channels,
    newChannel,
    channel,
    streamSettings,
    streamAlone,
    streamSearch,
    indexSets,
    newIndexSet,
    indexSet,
    indexSetSettings,
    overview,
    node,
    users,
    newUser,
    user,
    roles,
    newRole,
    role,
    myTokens,
    me,
    systemAlone,
    system,
    nowhere,
  ]),
]);
