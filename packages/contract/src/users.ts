import { z } from 'zod';
import { pagingQueryShape, pagingResponseShape } from './paging.ts';
import { booleanParameter } from './parameters.ts';
import { permissionListSchema } from './permissions.ts';
import { revisionSchema, wantedRevisionSchema } from './revision.ts';
import { timestampSchema } from './time.ts';

/** Clients that want no timeout send Java's largest integer; a hundred years has the same effect. */
export const MAX_SESSION_TIMEOUT_MS = 100 * 365 * 86_400_000;
export const MIN_PASSWORD_LENGTH = 6;
export const MAX_PASSWORD_LENGTH = 1000;
const MAX_PREFERENCES_LENGTH = 65_536;

const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;
/**
 * No control characters, and none of the characters that mean something in a permission (`: , *`), in HTTP
 * Basic (`:`) or in a path.
 */
const USERNAME_SYNTAX = /^[^\p{C}\p{Zl}\p{Zp}:,*/\\?#%"<>]+$/u;
/** Words that stand at the place of a name in the paths of this API, and what looks like an id. */
const RESERVED_USERNAMES = /^(\.{1,2}|id|paginated|[0-9a-f]{24})$/i;

/** One line of text with a maximum length. */
export function lineOfText(minimum: number, maximum: number) {
  return z
    .string()
    .min(minimum, { abort: true })
    .max(maximum)
    .regex(NO_CONTROL_CHARACTERS, { error: 'control characters are not allowed' });
}

export const usernameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(USERNAME_SYNTAX, {
    error: 'a user name cannot contain control characters or any of : , * / \\ ? # % " < >',
  })
  .refine((name) => name.trim() === name, { error: 'a user name cannot begin or end with a space' })
  .refine((name) => !RESERVED_USERNAMES.test(name), { error: 'this name is reserved, choose another' })
  .meta({ description: 'Login name', examples: ['anna'] });

export const passwordSchema = z
  .string()
  .min(MIN_PASSWORD_LENGTH)
  .max(MAX_PASSWORD_LENGTH)
  // In HTTP Basic these words in place of the password say that the user part is a session id or a token.
  .refine((password) => !/^(session|token)$/i.test(password), {
    error: 'this word has a meaning of its own in HTTP Basic authentication and cannot be a password',
  })
  .meta({ description: `At least ${MIN_PASSWORD_LENGTH} characters`, format: 'password' });

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const timezoneSchema = z
  .string()
  .max(100)
  .refine(isTimezone, { error: (issue) => `${JSON.stringify(issue.input)} is not the name of a time zone` })
  .meta({ description: 'Name of a time zone', examples: ['Europe/Berlin'] });

export const sessionTimeoutSchema = z
  .number()
  .min(1)
  .refine(Number.isInteger, { error: 'a whole number of milliseconds is needed' })
  .overwrite((value) => Math.min(value, MAX_SESSION_TIMEOUT_MS))
  .meta({ description: 'Milliseconds without a request after which a session ends' });

export const startpageSchema = z
  .strictObject({ type: lineOfText(1, 100), id: lineOfText(1, 100) })
  .meta({ id: 'Startpage', description: 'The page that a user sees first' });

export const preferencesSchema = z
  .record(z.string().max(200), z.unknown())
  .refine((preferences) => JSON.stringify(preferences).length <= MAX_PREFERENCES_LENGTH, {
    error: `preferences cannot be larger than ${MAX_PREFERENCES_LENGTH} characters of JSON`,
  });
export type UserPreferences = z.infer<typeof preferencesSchema>;

export const accountStatusSchema = z.enum(['enabled', 'disabled', 'deleted']);
export type AccountStatus = z.infer<typeof accountStatusSchema>;

export const userSchema = z
  .strictObject({
    id: z.string().meta({ description: '`local:admin` for the user from the configuration' }),
    username: z.string(),
    email: z.string(),
    full_name: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    permissions: z.array(z.string()).meta({
      description: 'Own permissions and those of the roles; empty when the caller may not see them',
    }),
    own_permissions: z.array(z.string()).nullable().meta({
      description: 'Granted to the user and not by a role; null when the caller may not see them',
    }),
    grn_permissions: z.array(z.string()),
    preferences: z.record(z.string(), z.unknown()),
    timezone: z.string().nullable(),
    session_timeout_ms: z.number(),
    read_only: z.boolean().meta({ description: 'Comes from the configuration, cannot be changed here' }),
    external: z.boolean(),
    startpage: startpageSchema.nullable(),
    roles: z.array(z.string()).meta({ description: 'Names of roles' }),
    session_active: z.boolean(),
    last_activity: timestampSchema.nullable(),
    client_address: z.string().nullable(),
    account_status: accountStatusSchema,
    service_account: z.boolean(),
    auth_service_enabled: z.boolean(),
    revision: revisionSchema,
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userSchema>;

export const userListSchema = z.strictObject({ users: z.array(userSchema) });

export const userListQuerySchema = z.object({
  include_permissions: booleanParameter().default(true),
  include_sessions: booleanParameter().default(true),
});

export const USER_SORT_FIELDS = ['username', 'full_name', 'email', 'last_activity'] as const;

export const userPageQuerySchema = z.object({
  ...pagingQueryShape,
  query: z.string().max(500).default('').describe('Part of a user name, full name or e-mail address.'),
  sort: z.enum(USER_SORT_FIELDS).default('full_name').describe('Field to sort by.'),
});
export type UserPageQuery = z.infer<typeof userPageQuerySchema>;

/** The root user is not part of the pages but of `context`. */
export const userPageSchema = z.strictObject({
  query: z.string(),
  sort: z.string(),
  order: z.string(),
  ...pagingResponseShape,
  pagination: z.strictObject(pagingResponseShape),
  users: z.array(userSchema),
  context: z.strictObject({ admin_user: userSchema }),
});
export type UserPage = z.infer<typeof userPageSchema>;

const nameShape = {
  full_name: lineOfText(0, 200).optional(),
  first_name: lineOfText(0, 100).nullable().optional(),
  last_name: lineOfText(0, 100).nullable().optional(),
};

const profileShape = {
  timezone: timezoneSchema.nullable().optional(),
  // Clients send 0 for a value that they do not set.
  session_timeout_ms: z
    .preprocess((value) => (value === 0 ? null : value), sessionTimeoutSchema.nullable())
    .optional(),
  startpage: startpageSchema.nullable().optional(),
  roles: z.array(z.string().min(1).max(200)).max(1000).nullable().optional(),
  service_account: z.boolean().nullable().optional(),
};

const emailSchema = lineOfText(1, 254);

/** Either `full_name` or `first_name` and `last_name`: clients of both Graylog generations are served. */
export const createUserSchema = z
  .strictObject({
    username: usernameSchema,
    password: passwordSchema,
    email: emailSchema,
    permissions: permissionListSchema.default([]),
    preferences: preferencesSchema.optional(),
    ...nameShape,
    ...profileShape,
  })
  .refine((user) => user.full_name !== undefined || (user.first_name ?? user.last_name ?? '') !== '', {
    path: ['full_name'],
    error: 'full_name, or first_name and last_name, is needed',
  })
  .meta({ id: 'CreateUserRequest' });
export type CreateUserRequest = z.infer<typeof createUserSchema>;

/** Only the given properties are changed. Other properties (of a user as it was read) are ignored, as in Graylog. */
export const changeUserSchema = z
  .looseObject({
    email: emailSchema.optional(),
    permissions: permissionListSchema.optional(),
    ...nameShape,
    ...profileShape,
    revision: wantedRevisionSchema,
  })
  .meta({ id: 'ChangeUserRequest' });
export type ChangeUserRequest = z.infer<typeof changeUserSchema>;

export const changePasswordSchema = z
  .strictObject({
    old_password: z.string().max(MAX_PASSWORD_LENGTH).nullable().optional().meta({
      description:
        'Not needed to change the password of another user with the permission to change all passwords',
    }),
    password: passwordSchema,
  })
  .meta({ id: 'ChangePasswordRequest' });
export type ChangePasswordRequest = z.infer<typeof changePasswordSchema>;

export const changePermissionsSchema = z
  .strictObject({ permissions: permissionListSchema })
  .meta({ id: 'ChangePermissionsRequest' });

export const changePreferencesSchema = z
  .strictObject({ preferences: preferencesSchema })
  .meta({ id: 'ChangePreferencesRequest' });

/** A user name or a user id in a path. */
export const userParameter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'User name or user id', example: 'admin' });
