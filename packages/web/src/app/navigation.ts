import type { PermissionName } from '@millrace/contract';
import type { PermissionSet } from '@millrace/contract/permission-set';
import {
  type Icon,
  IconAlarm,
  IconDatabase,
  IconGauge,
  IconGitFork,
  IconPlugConnected,
  IconRoute,
  IconSearch,
  IconSettings,
  IconShare3,
  IconUsers,
} from '@tabler/icons-react';
import { readableSections } from '../features/pipelines/sections.ts';
import { mayReachAny } from '../lib/account/index.ts';

export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  /** `g`, then this key. */
  readonly goKey: string;
  /** Whoever has it for at least one thing sees the page, or whoever may see part of it. Without one, everybody does. */
  readonly permission?: PermissionName | ((permissions: PermissionSet) => boolean);
  /** Entries of a group stand together, with a line between groups. */
  readonly group: 'data' | 'flow' | 'operation';
}

/** The rail from top to bottom. Only pages that exist. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/search', label: 'Search', icon: IconSearch, goKey: 's', group: 'data' },
  {
    to: '/streams',
    label: 'Streams',
    icon: IconGitFork,
    goKey: 't',
    permission: 'streams:read',
    group: 'data',
  },
  {
    to: '/alerts',
    label: 'Alerts',
    icon: IconAlarm,
    goKey: 'a',
    permission: 'streams:read',
    group: 'data',
  },
  {
    to: '/inputs',
    label: 'Inputs',
    icon: IconPlugConnected,
    goKey: 'i',
    permission: 'inputs:read',
    group: 'flow',
  },
  {
    to: '/pipelines',
    label: 'Pipelines',
    icon: IconRoute,
    goKey: 'p',
    permission: (permissions) => readableSections(permissions).length > 0,
    group: 'flow',
  },
  {
    to: '/outputs',
    label: 'Outputs',
    icon: IconShare3,
    goKey: 'o',
    permission: 'outputs:read',
    group: 'flow',
  },
  {
    to: '/index-sets',
    label: 'Index sets',
    icon: IconDatabase,
    goKey: 'x',
    permission: 'indexsets:read',
    group: 'flow',
  },
  {
    to: '/overview',
    label: 'Overview',
    icon: IconGauge,
    goKey: 'n',
    permission: 'system:read',
    group: 'operation',
  },
  {
    to: '/users',
    label: 'Users',
    icon: IconUsers,
    goKey: 'u',
    permission: 'users:list',
    group: 'operation',
  },
  {
    to: '/system',
    label: 'System',
    icon: IconSettings,
    goKey: 'y',
    permission: 'system:read',
    group: 'operation',
  },
];

export function reachableEntries(permissions: PermissionSet): NavigationEntry[] {
  return NAVIGATION.filter(
    ({ permission }) =>
      permission === undefined ||
      (typeof permission === 'string' ? mayReachAny(permissions, permission) : permission(permissions)),
  );
}
