import { BoundedMap, type Principal } from '#core/index.ts';
import type { LoginsRepository, LoginUser } from '#metadata/index.ts';
import type { StoredPassword } from './password.ts';
import { compilePermissions, type PermissionSet, selfPermissions } from './permissions.ts';

/** The id of the root user; no user name can look like it. */
export const ROOT_USER_ID = 'local:admin';

/** The root user comes from the configuration: it always exists, may do everything and the API cannot change it. */
export interface RootUserSettings {
  readonly username: string;
  /** `root_password_sha2`, or the hash of the generated password. */
  readonly password: StoredPassword;
  readonly email: string;
  readonly timezone: string;
  readonly sessionTimeoutMs: number;
}

/** A user as authentication sees it, from the database or the configuration. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly isRoot: boolean;
  readonly isEnabled: boolean;
  readonly password: StoredPassword;
  readonly sessionTimeoutMs: number;
  readonly permissions: PermissionSet;
}

export interface Accounts {
  readonly root: Account;
  /** Case matters. Reads the database on every call, so the result is never stale. */
  findByName(username: string): Promise<Account | undefined>;
  /** The owner of a session or token: its user's row, or the root user if there is no row. */
  ownerOf(credential: StoredCredential): Account | undefined;
  /**
   * The account and principal of a request with this session or token; undefined if it has no owner or the owner is
   * disabled. Returns the same object for the same `credential`; look-ups return the same object while nothing changes.
   */
  admit(credential: StoredCredential, origin: RequestOrigin): Admission | undefined;
}

/** A session or access token as the look-ups return it. */
export interface StoredCredential {
  readonly username: string;
  readonly user: LoginUser | undefined;
}

/** The session or token of a request; empty for a password. */
export interface RequestOrigin {
  readonly sessionId?: string;
  readonly tokenId?: string;
}

export interface Admission {
  readonly account: Account;
  readonly principal: Principal;
}

const MAX_COMPILED_SETS = 1000;

export function createAccounts(
  deps: { readonly logins: LoginsRepository },
  settings: { readonly root: RootUserSettings },
): Accounts {
  const root: Account = {
    id: ROOT_USER_ID,
    username: settings.root.username,
    isRoot: true,
    isEnabled: true,
    password: settings.root.password,
    sessionTimeoutMs: settings.root.sessionTimeoutMs,
    permissions: compilePermissions(['*']),
  };
  const permissionsOf = createPermissionCompiler();

  const toAccount = (user: LoginUser): Account => ({
    id: user.id,
    username: user.username,
    isRoot: false,
    isEnabled: user.status === 'enabled',
    password: { kind: 'argon2id', hash: user.passwordHash },
    sessionTimeoutMs: user.sessionTimeoutMs,
    permissions: permissionsOf(user),
  });

  const ownerOf = ({ username, user }: StoredCredential): Account | undefined => {
    if (user !== undefined) return user.username === root.username ? undefined : toAccount(user);
    // Without a row it belongs to the root user. After root_username has changed, it belongs to nobody.
    return username === root.username ? root : undefined;
  };
  const admissions = new WeakMap<StoredCredential, Admission>();

  return {
    root,
    ownerOf,

    admit(credential, origin) {
      const known = admissions.get(credential);
      if (known !== undefined) return known;
      const account = ownerOf(credential);
      if (!account?.isEnabled) return undefined;
      const admission = { account, principal: createPrincipal(account, origin) };
      admissions.set(credential, admission);
      return admission;
    },

    async findByName(username) {
      // The root user wins over a stored user of the same name, which exists if root_username was changed later.
      if (username === root.username) return root;
      if (!isPossibleName(username)) return undefined;
      const user = await deps.logins.findUser(username);
      return user && toAccount(user);
    },
  };
}

/** Saves a query for text that cannot be a name; the database would reject some of it. */
function isPossibleName(username: string): boolean {
  return username.length > 0 && username.length <= 100 && !username.includes('\0');
}

/**
 * Compiles a user's permissions once for as long as they stay the same. The look-ups return the same object while
 * nothing has changed; otherwise the permissions themselves are the key. Neither cache needs invalidation.
 */
function createPermissionCompiler(): (user: LoginUser) => PermissionSet {
  const ofObject = new WeakMap<LoginUser, PermissionSet>();
  const ofContent = new BoundedMap<string, PermissionSet>({ maxEntries: MAX_COMPILED_SETS });

  const compile = (user: LoginUser): PermissionSet => {
    const key = `${user.id} ${user.username} ${user.permissionLists.join(' ')}`;
    const known = ofContent.get(key);
    if (known !== undefined) return known;
    const granted = user.permissionLists.flatMap((list): string[] => JSON.parse(list));
    // Newer clients use the user's id where older ones use the name.
    const permissions = compilePermissions([
      ...granted,
      ...selfPermissions(user.username),
      ...selfPermissions(user.id),
    ]);
    ofContent.set(key, permissions);
    return permissions;
  };

  return (user) => {
    const known = ofObject.get(user);
    if (known !== undefined) return known;
    const permissions = compile(user);
    ofObject.set(user, permissions);
    return permissions;
  };
}

export function createPrincipal(account: Account, origin: RequestOrigin = {}): Principal {
  const { permissions } = account;
  return {
    userId: account.id,
    username: account.username,
    isRoot: account.isRoot,
    ...origin,
    can: (permission, instance) => permissions.implies(permission, instance),
  };
}
