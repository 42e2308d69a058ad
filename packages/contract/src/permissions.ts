import { z } from 'zod';

/**
 * Every permission group and its actions: what `GET /system/permissions` answers and what a route may ask
 * for. Names are Graylog's where it has them. A new group or action is one line here.
 */
export const PERMISSION_CATALOGUE = {
  auditlog: ['read'],
  authentication: ['edit', 'read'],
  buffers: ['read'],
  catalog: ['list', 'resolve'],
  clusterconfigentry: ['create', 'delete', 'edit', 'read'],
  contentpack: ['create', 'delete', 'install', 'read', 'uninstall'],
  dashboards: ['create', 'edit', 'read'],
  decorators: ['create', 'edit', 'read'],
  deflector: ['cycle', 'read'],
  eventdefinitions: ['create', 'delete', 'edit', 'execute', 'read'],
  eventnotifications: ['create', 'delete', 'edit', 'read'],
  fieldnames: ['read'],
  indexercluster: ['read'],
  indexranges: ['read', 'rebuild'],
  indexset_templates: ['create', 'delete', 'edit', 'read'],
  indexsets: ['create', 'delete', 'edit', 'read'],
  indices: ['changestate', 'delete', 'failures', 'read'],
  inputs: ['changestate', 'create', 'edit', 'read', 'terminate'],
  journal: ['edit', 'read'],
  jvmstats: ['read'],
  lbstatus: ['change'],
  ldap: ['edit'],
  ldapgroups: ['edit', 'read'],
  loggers: ['edit', 'editsubsystem', 'read', 'readsubsystem'],
  loggersmessages: ['read'],
  lookuptables: ['create', 'delete', 'edit', 'read'],
  messagecount: ['read'],
  messages: ['analyze', 'read'],
  metrics: ['allkeys', 'read', 'readall', 'readhistory'],
  node: ['shutdown'],
  notifications: ['delete', 'read'],
  outputs: ['create', 'edit', 'read', 'terminate'],
  pipeline: ['create', 'delete', 'edit', 'read'],
  pipeline_connection: ['edit', 'read'],
  pipeline_rule: ['create', 'delete', 'edit', 'read'],
  plugins: ['edit'],
  processing: ['changestate'],
  roles: ['create', 'delete', 'edit', 'read'],
  savedsearches: ['create', 'edit', 'read'],
  searches: ['absolute', 'keyword', 'relative', 'sql'],
  sources: ['read'],
  stream_outputs: ['create', 'delete', 'read'],
  streams: ['changestate', 'create', 'edit', 'read'],
  system: ['read'],
  systemjobs: ['create', 'delete', 'read'],
  systemmessages: ['read'],
  threads: ['dump'],
  throughput: ['read'],
  typemappings: ['create', 'delete', 'edit', 'read'],
  urlwhitelist: ['read', 'write'],
  users: [
    'create',
    'edit',
    'list',
    'passwordchange',
    'permissionsedit',
    'rolesedit',
    'tokencreate',
    'tokenlist',
    'tokenremove',
  ],
  view: ['delete', 'edit', 'read', 'use'],
} as const;

type Catalogue = typeof PERMISSION_CATALOGUE;

/** A permission a route may ask for, without the instance: `streams:read`. */
export type PermissionName = {
  [Group in keyof Catalogue & string]: `${Group}:${Catalogue[Group][number]}`;
}[keyof Catalogue & string];

/** The permissions of the role Reader. They include no stream. */
export const READER_PERMISSIONS: readonly PermissionName[] = [
  'buffers:read',
  'clusterconfigentry:read',
  'decorators:read',
  'fieldnames:read',
  'indexercluster:read',
  'inputs:read',
  'journal:read',
  'jvmstats:read',
  'messagecount:read',
  'messages:analyze',
  'messages:read',
  'metrics:read',
  'savedsearches:create',
  'savedsearches:edit',
  'savedsearches:read',
  'system:read',
  'throughput:read',
];

/** What every user may do with their own account, without a grant. */
export const SELF_PERMISSIONS: readonly PermissionName[] = [
  'users:edit',
  'users:passwordchange',
  'users:tokencreate',
  'users:tokenlist',
  'users:tokenremove',
];

export const ADMIN_ROLE = 'Admin';
export const READER_ROLE = 'Reader';

const MAX_PERMISSION_LENGTH = 512;
/** Parts separated by `:`, each a `*` or a comma list of names; an instance may be any printable text. */
const PERMISSION_SYNTAX = /^[^\s:,\p{C}]+(,[^\s:,\p{C}]+)*(:[^\s:,\p{C}]+(,[^\s:,\p{C}]+)*)*$/u;

/**
 * A permission as granted to users and roles: `group:action:instance`. A `*` matches any part, a comma list
 * any of its members, and a shorter permission includes all longer ones.
 */
export const permissionSchema = z
  .string()
  .max(MAX_PERMISSION_LENGTH)
  .regex(PERMISSION_SYNTAX, {
    error: (issue) =>
      `${JSON.stringify(issue.input)} is not a permission: expected group:action[:instance], for example streams:read:*`,
  })
  .meta({ description: 'group:action[:instance]; `*` matches any part', examples: ['streams:read', '*'] });

export const permissionListSchema = z.array(permissionSchema).max(10_000);

/** `GET /system/permissions` */
export const permissionCatalogueSchema = z.object({
  permissions: z.record(z.string(), z.array(z.string())).meta({ description: 'actions by group' }),
});
export type PermissionCatalogue = z.infer<typeof permissionCatalogueSchema>;

/** `GET /system/permissions/reader/{username}` */
export const readerPermissionsSchema = z.object({ permissions: z.array(z.string()) });
export type ReaderPermissions = z.infer<typeof readerPermissionsSchema>;
