import type { Clock } from '#core/index.ts';
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
  const lastStored = new Map<string, number>();
  return {
    async seen(account, remoteAddress) {
      if (account.isRoot) return;
      const now = deps.clock.now();
      const last = lastStored.get(account.id);
      if (last !== undefined && now - last < INTERVAL_MS) return;
      if (lastStored.size >= MAX_ENTRIES) lastStored.clear();
      lastStored.set(account.id, now);
      await deps.users.touch(account.id, now, remoteAddress);
    },
  };
}
