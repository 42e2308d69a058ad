import type { Clock } from '#core/index.ts';
import type { UsersRepository } from '#metadata/index.ts';
import type { Account } from './accounts.ts';

/** Notes when and from where users were last seen, at most once a minute for each. */
export interface ActivityRecorder {
  seen(account: Account, remoteAddress: string): Promise<void>;
}

const INTERVAL_MS = 60_000;
const MAX_REMEMBERED = 10_000;

export function createActivityRecorder(deps: {
  readonly users: UsersRepository;
  readonly clock: Clock;
}): ActivityRecorder {
  const written = new Map<string, number>();
  return {
    async seen(account, remoteAddress) {
      if (account.isRoot) return;
      const now = deps.clock.now();
      const last = written.get(account.id);
      if (last !== undefined && now - last < INTERVAL_MS) return;
      if (written.size >= MAX_REMEMBERED) written.clear();
      written.set(account.id, now);
      await deps.users.touch(account.id, now, remoteAddress);
    },
  };
}
