import type { Repositories } from '#metadata/index.ts';
import type { RootUserSettings } from './accounts.ts';
import type { PasswordHasher } from './password.ts';

const FINGERPRINT = 'root_user_password';

/**
 * Ends the root user's sessions when their password is another than at the last start: who knew the old
 * password is out, as after any other change of a password. What is kept for the comparison is a slow hash of
 * what it is checked against, so that the database does not make the password easier to guess.
 */
export async function endSessionsOfOldRootPassword(
  deps: { readonly repositories: Repositories; readonly hasher: PasswordHasher },
  root: RootUserSettings,
): Promise<void> {
  const { clusterSettings, sessions } = deps.repositories;
  const { password } = root;
  const secret = password.kind === 'sha256' ? password.hex.toLowerCase() : password.hash;
  const current = `${root.username}:${secret}`;
  const stored = await clusterSettings.find(FINGERPRINT);
  if (typeof stored === 'string' && (await deps.hasher.verify(current, { kind: 'argon2id', hash: stored })))
    return;
  await sessions.removeByUsername(root.username);
  await clusterSettings.set(FINGERPRINT, await deps.hasher.hash(current));
}
