import type { PermissionName } from '@millrace/contract';
import type { PermissionSet } from '@millrace/contract/permission-set';
import {
  type Icon,
  IconAlarm,
  IconKey,
  IconPlus,
  IconRocket,
  IconRoute,
  IconSettings,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react';
import { readableSections } from '../../../features/pipelines/sections.ts';
import { texts as pipelineTexts } from '../../../features/pipelines/texts.ts';
import { reachableParts } from '../../../features/system/parts.ts';
import { texts as systemTexts } from '../../../features/system/texts.ts';
import { mayReachAny } from '../../../lib/account/index.ts';
import { reachableEntries } from '../../navigation.ts';

/** A page as the palette offers it. */
export interface PalettePage {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  /** The entry of the rail that it belongs to. */
  readonly parent?: string;
  /** `g`, then this key. */
  readonly goKey?: string;
  /** Other words that somebody may look for. */
  readonly keywords?: readonly string[];
}

/** Of the entries of the rail, by their paths. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  '/search': ['messages', 'logs', 'query', 'find'],
  '/streams': ['pause a stream', 'resume', 'routing'],
  '/alerts': ['open alerts'],
  '/inputs': ['start', 'stop', 'syslog', 'GELF'],
  '/pipelines': ['processing'],
  '/outputs': ['forward', 'pause an output'],
  '/index-sets': ['indices', 'rotation', 'retention', 'storage', 'disk'],
  '/overview': ['nodes', 'cluster', 'health', 'journal', 'pause processing', 'load balancer', 'shut down'],
  '/users': ['people', 'accounts', 'permissions'],
};

const SECTION_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  rules: ['pipeline rules', 'processing'],
  simulator: ['try a message', 'test rules'],
  grok: ['grok patterns'],
  lookup: ['lookup tables', 'data adapters', 'caches', 'CSV'],
};

const PART_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  notifications: ['problems', 'attention'],
  events: ['events'],
  audit: ['who changed what', 'log-ins', 'history'],
  jobs: ['tasks', 'background'],
  settings: ['configuration'],
  plugins: ['extensions'],
  licences: ['licenses', 'open source'],
};

interface GuardedPage extends Omit<PalettePage, 'icon'> {
  /** Whoever has it for at least one thing sees the page. */
  readonly permission: PermissionName;
}

const ALERT_PAGES: readonly GuardedPage[] = [
  { to: '/alerts/past', label: 'Past alerts', permission: 'streams:read', keywords: ['resolved'] },
  { to: '/alerts/conditions', label: 'Alert conditions', permission: 'streams:read', keywords: ['watch'] },
  {
    to: '/alerts/notifications',
    label: 'Alert notifications',
    permission: 'streams:read',
    keywords: ['mail', 'webhook', 'HTTP', 'Slack', 'Teams', 'deliveries'],
  },
];

const NEW_PAGES: readonly GuardedPage[] = [
  { to: '/streams/new', label: 'New stream', permission: 'streams:create' },
  { to: '/alerts/conditions/new', label: 'New alert condition', permission: 'streams:edit' },
  { to: '/alerts/notifications/new', label: 'New alert notification', permission: 'streams:edit' },
  { to: '/inputs/new', label: 'New input', permission: 'inputs:create' },
  { to: '/pipelines/new', label: 'New pipeline', permission: 'pipeline:create' },
  {
    to: '/pipelines/rules/new',
    label: 'New rule',
    permission: 'pipeline_rule:create',
    keywords: ['pipeline'],
  },
  { to: '/outputs/new', label: 'New output', permission: 'outputs:create' },
  { to: '/index-sets/new', label: 'New index set', permission: 'indexsets:create' },
  { to: '/users/new', label: 'New user', permission: 'users:create' },
  { to: '/roles/-/new', label: 'New role', permission: 'roles:create' },
];
const ADD_WORDS = ['create', 'add'];

/** The pages of the rail, and those that everybody has. */
export function mainPages(permissions: PermissionSet): PalettePage[] {
  return [
    ...reachableEntries(permissions).map(({ to, label, icon, goKey }) => ({
      to,
      label,
      icon,
      goKey,
      keywords: KEYWORDS[to] ?? [],
    })),
    { to: '/welcome', label: 'First steps', icon: IconRocket, keywords: ['welcome', 'send', 'start'] },
    {
      to: '/me',
      label: 'Your account',
      icon: IconUserCog,
      keywords: ['profile', 'password', 'preferences', 'time zone', 'start page'],
    },
  ];
}

/** The pages below them, which are offered once somebody types. */
export function furtherPages(permissions: PermissionSet): PalettePage[] {
  const mayOpen = ({ permission }: GuardedPage) => mayReachAny(permissions, permission);
  return [
    ...ALERT_PAGES.filter(mayOpen).map((page) => ({ ...page, icon: IconAlarm, parent: 'Alerts' })),
    ...readableSections(permissions)
      .filter(({ value }) => value !== 'pipelines')
      .map(({ value, to }) => ({
        to,
        label: pipelineTexts.sections[value].title,
        icon: IconRoute,
        parent: 'Pipelines',
        keywords: SECTION_KEYWORDS[value] ?? [],
      })),
    ...reachableParts(permissions).map(({ name }) => ({
      to: `/system/${name}`,
      label: systemTexts.parts[name],
      icon: IconSettings,
      parent: 'System',
      keywords: PART_KEYWORDS[name] ?? [],
    })),
    ...(mayReachAny(permissions, 'roles:read')
      ? [{ to: '/roles', label: 'Roles', icon: IconUsers, parent: 'Users', keywords: ['permissions'] }]
      : []),
    {
      to: '/me/tokens',
      label: 'Access tokens',
      icon: IconKey,
      parent: 'Your account',
      keywords: ['API', 'keys'],
    },
    ...NEW_PAGES.filter(mayOpen).map(({ keywords = [], ...page }) => ({
      ...page,
      icon: IconPlus,
      keywords: [...ADD_WORDS, ...keywords],
    })),
  ];
}
