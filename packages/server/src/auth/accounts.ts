import type { Principal } from '#core/index.ts';
import type { LoginsRepository, LoginUser } from '#metadata/index.ts';
import type { StoredPassword } from './password.ts';
import { compilePermissions, type PermissionSet, selfPermissions } from './permissions.ts';

/** The id of the user from the configuration; a name can never look like it. */
export const ROOT_USER_ID = 'local:admin';

/** The user from the configuration file: always there, may do everything, cannot be changed through the API. */
export interface RootUserSettings {
  readonly username: string;
  /** `root_password_sha2`, or the hash of the generated password. */
  readonly password: StoredPassword;
  readonly email: string;
  readonly timezone: string;
  readonly sessionTimeoutMs: number;
}

/** Somebody who can come in, as authentication sees them: out of the database or the configuration. */
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
  /** Exactly this name: case counts. Read from the database at every call, so never out of date. */
  findByName(username: string): Promise<Account | undefined>;
  /** Whom a session or a token belongs to: its user's row, or the root user when there is no row. */
  ownerOf(holder: CredentialHolder): Account | undefined;
  /**
   * Who a request with this session or token comes from; undefined when it is nobody who may come in. The same
   * object for the same `holder`, which the look-ups give again while nothing has changed.
   */
  admit(holder: CredentialHolder, origin: RequestOrigin): Admission | undefined;
}

/** A session or an access token as the look-ups give it. */
export interface CredentialHolder {
  readonly username: string;
  readonly user: LoginUser | undefined;
}

/** What the request came with, if not with a password. */
export interface RequestOrigin {
  readonly sessionId?: string;
  readonly tokenId?: string;
}

export interface Admission {
  readonly account: Account;
  readonly principal: Principal;
}

const MAX_COMPILED = 1000;

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

  const ownerOf = ({ username, user }: CredentialHolder): Account | undefined => {
    if (user !== undefined) return user.username === root.username ? undefined : toAccount(user);
    // Without a row it was made for the root user; after root_username has changed it is nobody's.
    return username === root.username ? root : undefined;
  };
  const admissions = new WeakMap<CredentialHolder, Admission>();

  return {
    root,
    ownerOf,

    admit(holder, origin) {
      const known = admissions.get(holder);
      if (known !== undefined) return known;
      const account = ownerOf(holder);
      if (!account?.isEnabled) return undefined;
      const admission = { account, principal: createPrincipal(account, origin) };
      admissions.set(holder, admission);
      return admission;
    },

    async findByName(username) {
      // The root user wins over a row of that name, which can exist when root_username was changed later.
      if (username === root.username) return root;
      if (!isPossibleName(username)) return undefined;
      const user = await deps.logins.findUser(username);
      return user && toAccount(user);
    },
  };
}

/** What cannot be a name is not worth a question to the database, which may refuse some of it. */
function isPossibleName(username: string): boolean {
  return username.length > 0 && username.length <= 100 && !username.includes('\0');
}

/**
 * Compiles a user's permissions once for as long as they are the same. The look-ups give the same object
 * again while nothing has changed; otherwise the key is the permissions themselves. Either way there is nothing
 * to invalidate.
 */
function createPermissionCompiler(): (user: LoginUser) => PermissionSet {
  const ofObject = new WeakMap<LoginUser, PermissionSet>();
  const ofContent = new Map<string, PermissionSet>();

  const compile = (user: LoginUser): PermissionSet => {
    const key = `${user.id} ${user.username} ${user.permissionLists.join(' ')}`;
    const known = ofContent.get(key);
    if (known !== undefined) return known;
    const granted = user.permissionLists.flatMap((list): string[] => JSON.parse(list));
    // Newer clients write the user's id where older ones write the name.
    const permissions = compilePermissions([
      ...granted,
      ...selfPermissions(user.username),
      ...selfPermissions(user.id),
    ]);
    if (ofContent.size >= MAX_COMPILED) ofContent.clear();
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

/** The principal of a request that `account` makes. */
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
