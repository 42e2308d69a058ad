import type { PermissionName } from '@millrace/contract';
import type { PermissionSet } from '@millrace/contract/permission-set';
import { mayReachAny } from '../../lib/account/index.ts';

export type PartName = 'notifications' | 'events' | 'audit' | 'jobs' | 'settings' | 'plugins' | 'licences';

export interface SystemPart {
  readonly name: PartName;
  /** Without one, everybody sees it. */
  readonly permission?: PermissionName;
}

/** In the order of their tabs. */
export const SYSTEM_PARTS: readonly SystemPart[] = [
  { name: 'notifications', permission: 'notifications:read' },
  { name: 'events', permission: 'systemmessages:read' },
  { name: 'audit', permission: 'auditlog:read' },
  { name: 'jobs', permission: 'systemjobs:read' },
  { name: 'settings', permission: 'system:read' },
  { name: 'plugins', permission: 'system:read' },
  { name: 'licences' },
];

export function reachableParts(permissions: PermissionSet): SystemPart[] {
  return SYSTEM_PARTS.filter(
    ({ permission }) => permission === undefined || mayReachAny(permissions, permission),
  );
}
