import type { Repositories } from '#metadata/index.ts';
import type { RootUserConfig } from './accounts.ts';
import type { PasswordHasher } from './password.ts';

const FINGERPRINT = 'root_user_password';

/**
 * Ends the root user's sessions when root_password_sha2 is another than at the last start: who knew the old
 * password is out, as after any other change of a password. What is kept for the comparison is a slow hash of
 * the setting, so that the database does not make the password easier to guess.
 */
export async function endSessionsOfOldRootPassword(
  deps: { readonly repositories: Repositories; readonly hasher: PasswordHasher },
  root: RootUserConfig,
): Promise<void> {
  const { clusterSettings, sessions } = deps.repositories;
  const current = `${root.username}:${root.passwordSha2.reveal().toLowerCase()}`;
  const stored = await clusterSettings.find(FINGERPRINT);
  if (typeof stored === 'string' && (await deps.hasher.verify(current, { kind: 'argon2id', hash: stored })))
    return;
  await sessions.removeByUsername(root.username);
  await clusterSettings.set(FINGERPRINT, await deps.hasher.hash(current));
}
