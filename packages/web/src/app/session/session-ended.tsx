import { useState, useSyncExternalStore } from 'react';
import { sessionGuard } from '../../lib/api/index.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';

const LoginOverPage = lazyPart(async () => (await import('./login-over-page.tsx')).LoginOverPage);

/** Shows the log-in form over the page while the session has ended. */
export function SessionEnded() {
  const hasEnded = useSyncExternalStore(sessionGuard.subscribe, sessionGuard.hasEnded);
  // It stays there afterwards, to give the focus back.
  const [isNeeded, setNeeded] = useState(false);
  if (hasEnded && !isNeeded) setNeeded(true);
  return isNeeded ? <LoginOverPage hasEnded={hasEnded} /> : null;
}
