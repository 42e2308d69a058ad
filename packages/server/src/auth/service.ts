import type { Logger } from 'pino';
import type { Authenticator, Clock, Secret, Startable } from '#core/index.ts';
import { createPeriodicJob } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { createAccounts, type RootUserSettings } from './accounts.ts';
import { createActivityRecorder } from './activity.ts';
import { createAuditLog, type StoredAuditLog } from './audit.ts';
import { createAuthenticator } from './authenticator.ts';
import { createKnownDevices } from './known-devices.ts';
import { createPasswordLogin } from './login.ts';
import { createLoginThrottle, DEFAULT_LOGIN_THROTTLE, type LoginThrottleSettings } from './login-throttle.ts';
import { createPasswordHasher, DEFAULT_PASSWORD_COST, type PasswordHasherSettings } from './password.ts';
import { createRememberedLogins } from './remembered-logins.ts';
import { createRoles, type Roles } from './roles.ts';
import { endSessionsOfOldRootPassword } from './root-password.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createTokens, type Tokens } from './tokens.ts';
import { createUserCredentials, type UserCredentials } from './user-credentials.ts';
import { createUsers, type Users } from './users.ts';
import { createVerifiedPasswordCache } from './verified-password-cache.ts';
import { createWorkSlots } from './work-slots.ts';

/**
 * Users, roles, sessions, access tokens, the audit log, and the authenticator the API uses. Start it before the API:
 * it creates the built-in roles. While it runs, it removes expired sessions and old audit entries.
 */
export interface Auth extends Startable {
  readonly authenticator: Authenticator;
  readonly users: Users & UserCredentials;
  readonly roles: Roles;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly audit: StoredAuditLog;
  /** How many expensive password computations have run since the start. */
  passwordComputations(): number;
  /** Removes expired sessions and old audit entries. Runs every few minutes while the service is started. */
  maintain(): Promise<void>;
}

export interface AuthDeps {
  readonly metadata: Metadata;
  readonly clock: Clock;
  /** Measures durations: failed logins must not be forgotten, or kept, because somebody sets the machine's time. */
  readonly monotonic: Clock;
  readonly logger: Logger;
  /** Only the leader removes what is old. Left out: this node does. */
  readonly isLeader?: () => boolean;
  /** Delays a login attempt; tests replace it. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

export interface AuthSettings {
  readonly root: RootUserSettings;
  /** The same on all nodes; signs the cookies of known devices. */
  readonly passwordSecret: Secret;
  readonly passwordCost?: PasswordHasherSettings;
  readonly throttle?: LoginThrottleSettings;
  /** Audit entries older than this are removed. */
  readonly auditMaxAgeMs?: number;
}

/** Password checks use at most two of the four threads of the pool and two times 19 MiB. */
const PASSWORD_SLOTS = { concurrency: 2, maxWaiting: 1000 };
const DAY_MS = 86_400_000;
const DEFAULT_AUDIT_MAX_AGE_MS = 400 * DAY_MS;
const MAINTENANCE_INTERVAL_MS = 5 * 60_000;

export function createAuth(deps: AuthDeps, settings: AuthSettings): Auth {
  const { metadata, clock, monotonic, logger } = deps;
  const repositories = {
    ...metadata.repositories,
    logins: createRememberedLogins(metadata.repositories.logins, monotonic),
  };
  const hasher = createPasswordHasher(settings.passwordCost ?? DEFAULT_PASSWORD_COST);
  const slots = createWorkSlots(PASSWORD_SLOTS);
  const hashPassword = (password: string) => slots.run(() => hasher.hash(password));
  const audit = createAuditLog({ repository: repositories.auditLog, logger });
  const accounts = createAccounts({ logins: repositories.logins }, settings);
  const activity = createActivityRecorder({ users: repositories.users, clock });
  const devices = createKnownDevices(settings.passwordSecret);
  const login = createPasswordLogin({
    accounts,
    users: repositories.users,
    hasher,
    slots,
    devices,
    throttle: createLoginThrottle({ clock: monotonic }, settings.throttle ?? DEFAULT_LOGIN_THROTTLE),
    cache: createVerifiedPasswordCache({ clock: monotonic }),
    audit,
    ...(deps.pause === undefined ? {} : { pause: deps.pause }),
  });
  const sessions = createSessions({ repositories, accounts, login, devices, activity, audit, clock });
  const tokens = createTokens({ repositories, accounts, activity, audit, clock });
  const users = {
    ...createUsers({ metadata, audit, hashPassword }, settings),
    ...createUserCredentials({ metadata, audit, login, hashPassword }, settings),
  };
  const roles = createRoles({ metadata, audit, users }, settings);

  const maintain = async (): Promise<void> => {
    await repositories.sessions.removeExpired();
    await repositories.auditLog.removeBefore(
      clock.now() - (settings.auditMaxAgeMs ?? DEFAULT_AUDIT_MAX_AGE_MS),
    );
  };
  const maintenance = createPeriodicJob(
    { run: maintain, logger, ...(deps.isLeader && { isLeader: deps.isLeader }) },
    { name: 'removing expired sessions and old audit entries', intervalMs: MAINTENANCE_INTERVAL_MS },
  );

  return {
    name: 'auth',
    authenticator: createAuthenticator({ login, sessions, tokens }),
    users,
    roles,
    tokens,
    sessions,
    audit,
    passwordComputations: hasher.computations,
    maintain,

    async start() {
      await roles.ensureBuiltIn();
      await endSessionsOfOldRootPassword({ repositories, hasher }, settings.root);
      maintenance.start();
    },

    stop: maintenance.stop,
  };
}
