import { z } from 'zod';
import { pagingResponseShape } from './paging.ts';
import { integerParameter } from './parameters.ts';
import { permissionListSchema } from './permissions.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { lineOfText, userSchema } from './users.ts';

export const roleNameSchema = lineOfText(1, 100).refine((name) => name.trim() === name, {
  error: 'a role name cannot begin or end with a space',
});

export const roleSchema = z
  .strictObject({
    name: z.string(),
    description: z.string().nullable(),
    permissions: z.array(z.string()),
    read_only: z.boolean().meta({ description: 'Built in: cannot be changed or deleted' }),
    revision: revisionSchema,
  })
  .meta({ id: 'Role' });
export type Role = z.infer<typeof roleSchema>;

export const roleListSchema = z.strictObject({ roles: z.array(roleSchema), total: z.int().min(0) });

/** `GET /authz/roles/{roleId}`: as newer clients see roles, which name them by their ids. */
export const identifiedRoleSchema = roleSchema.extend({ id: z.string() }).meta({ id: 'IdentifiedRole' });
export type IdentifiedRole = z.infer<typeof identifiedRoleSchema>;

/** `GET /authz/roles` */
export const rolePageSchema = z
  .object({ ...pagingResponseShape, query: z.string(), roles: z.array(identifiedRoleSchema) })
  .meta({ id: 'RolePage' });
export type RolePage = z.infer<typeof rolePageSchema>;

/** `read_only` is accepted, because clients send back what they read, and ignored. */
export const roleRequestSchema = z
  .strictObject({
    name: roleNameSchema,
    description: z.string().max(2000).nullable().optional(),
    permissions: permissionListSchema,
    read_only: z.boolean().nullable().optional(),
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'RoleRequest' });
export type RoleRequest = z.infer<typeof roleRequestSchema>;

export const roleMembersQuerySchema = z.object({
  page: integerParameter({ min: 1 }).default(1).describe('Page, counted from 1.'),
  per_page: integerParameter({ min: 1, max: 1000 })
    .optional()
    .describe('Members per page. Without it, all are on one page.'),
  query: z.string().max(500).default('').describe('Part of a user name or full name.'),
});
export type RoleMembersQuery = z.infer<typeof roleMembersQuerySchema>;

export const roleMembersSchema = z.strictObject({
  role: z.string(),
  total: z.int().min(0).describe('Members that contain the text, on all pages.'),
  users: z.array(userSchema).describe('By user name.'),
});
export type RoleMembers = z.infer<typeof roleMembersSchema>;

/** `GET /authz/roles/{roleId}/assignees` */
export const roleAssigneesSchema = z
  .object({ ...pagingResponseShape, query: z.string(), users: z.array(userSchema) })
  .meta({ id: 'RoleAssignees' });

/** `GET /authz/roles/user/{username}` */
export const userRolesSchema = z
  .object({
    ...pagingResponseShape,
    query: z.string(),
    pagination: z.object(pagingResponseShape),
    roles: z.array(identifiedRoleSchema),
  })
  .meta({ id: 'UserRoles' });
export type UserRoles = z.infer<typeof userRolesSchema>;

export const roleNameParameter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Role name, in any case', example: 'Reader' });
