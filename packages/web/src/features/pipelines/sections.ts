import type { PermissionName } from '@millrace/contract';

/** The pages under Pipelines, in the order of their tabs. */
export const PIPELINE_SECTIONS = [
  { value: 'pipelines', to: '/pipelines', permission: 'pipeline:read' },
  { value: 'rules', to: '/pipelines/rules', permission: 'pipeline_rule:read' },
  { value: 'simulator', to: '/pipelines/simulator', permission: 'pipeline_rule:read' },
  { value: 'grok', to: '/pipelines/grok', permission: 'inputs:read' },
  { value: 'lookup', to: '/pipelines/lookup', permission: 'lookuptables:read' },
] as const satisfies readonly { value: string; to: string; permission: PermissionName }[];
