import type { PermissionName } from '@millrace/contract';
import type { PermissionSet } from '@millrace/contract/permission-set';
import { mayReachAny } from '../../lib/account/index.ts';

/** The pages under Pipelines, in the order of their tabs. */
export const PIPELINE_SECTIONS = [
  { value: 'pipelines', to: '/pipelines', permission: 'pipeline:read' },
  { value: 'rules', to: '/pipelines/rules', permission: 'pipeline_rule:read' },
  { value: 'simulator', to: '/pipelines/simulator', permission: 'pipeline_rule:read' },
  { value: 'grok', to: '/pipelines/grok', permission: 'inputs:read', ofAll: true },
  { value: 'lookup', to: '/pipelines/lookup', permission: 'lookuptables:read', ofAll: true },
] as const satisfies readonly PipelineSection[];

interface PipelineSection {
  readonly value: string;
  readonly to: string;
  readonly permission: PermissionName;
  /** Its list needs the permission for everything; the others list what may be read. */
  readonly ofAll?: boolean;
}

export function readableSections(permissions: PermissionSet) {
  return PIPELINE_SECTIONS.filter((section) =>
    'ofAll' in section
      ? permissions.implies(section.permission)
      : mayReachAny(permissions, section.permission),
  );
}
