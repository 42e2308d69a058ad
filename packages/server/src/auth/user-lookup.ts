import { isEntityId, NotFoundError } from '#core/index.ts';
import type { UserRecord, UsersRepository } from '#metadata/index.ts';
import { ROOT_USER_ID, type RootUserSettings } from './accounts.ts';

export type FoundUser =
  | { readonly isRoot: true; readonly username: string }
  | { readonly isRoot: false; readonly username: string; readonly record: UserRecord };

/** Finds the user in a path, by name (older clients) or id (newer ones). A name never looks like an id. */
export async function findUser(
  users: UsersRepository,
  root: RootUserSettings,
  nameOrId: string,
): Promise<FoundUser> {
  if (nameOrId === root.username || nameOrId === ROOT_USER_ID)
    return { isRoot: true, username: root.username };
  const record = isEntityId(nameOrId)
    ? await users.findById(nameOrId)
    : await findByExactName(users, nameOrId);
  if (record === undefined) throw userNotFound(nameOrId);
  return { isRoot: false, username: record.username, record };
}

async function findByExactName(users: UsersRepository, name: string): Promise<UserRecord | undefined> {
  if (name.includes('\0')) return undefined;
  const record = await users.findByUsername(name);
  // The repository ignores case, but permissions on a user name do not.
  return record?.username === name ? record : undefined;
}

export function userNotFound(nameOrId: string): NotFoundError {
  return new NotFoundError(`Couldn't find user ${nameOrId}`);
}
