import { type Clock, ExpiringMap } from '#core/index.ts';
import type { UsersRepository } from '#metadata/index.ts';
import type { Account } from './accounts.ts';

/** Records when and from where users were last active, at most once a minute per user. */
export interface ActivityRecorder {
  seen(account: Account, remoteAddress: string): Promise<void>;
}

const INTERVAL_MS = 60_000;
const MAX_ENTRIES = 10_000;

export function createActivityRecorder(deps: {
  readonly users: UsersRepository;
  readonly clock: Clock;
}): ActivityRecorder {
  const recentlyStored = new ExpiringMap<string, true>(deps.clock, {
    maxEntries: MAX_ENTRIES,
    maxAgeMs: INTERVAL_MS,
  });
  return {
    async seen(account, remoteAddress) {
      if (account.isRoot) return;
      if (recentlyStored.get(account.id)) return;
      recentlyStored.set(account.id, true);
      await deps.users.touch(account.id, deps.clock.now(), remoteAddress);
    },
  };
}
