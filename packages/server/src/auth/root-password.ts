import type { Repositories } from '#metadata/index.ts';
import type { RootUserSettings } from './accounts.ts';
import type { PasswordHasher } from './password.ts';

const FINGERPRINT_SETTING = 'root_user_password';

/**
 * Ends the root user's sessions if the password has changed since the last start, as after any other password change.
 * The database keeps only a slow hash of the configured password hash, so it does not make the password easier to guess.
 */
export async function endSessionsOfOldRootPassword(
  deps: { readonly repositories: Repositories; readonly hasher: PasswordHasher },
  root: RootUserSettings,
): Promise<void> {
  const { clusterSettings, sessions } = deps.repositories;
  const { password } = root;
  const secret = password.kind === 'sha256' ? password.hex.toLowerCase() : password.hash;
  const current = `${root.username}:${secret}`;
  const stored = await clusterSettings.find(FINGERPRINT_SETTING);
  if (typeof stored === 'string' && (await deps.hasher.verify(current, { kind: 'argon2id', hash: stored })))
    return;
  await sessions.removeByUsername(root.username);
  await clusterSettings.set(FINGERPRINT_SETTING, await deps.hasher.hash(current));
}
