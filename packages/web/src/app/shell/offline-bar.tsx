import { IconPlugConnectedX } from '@tabler/icons-react';
import { onlineManager } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { call } from '../../lib/api/index.ts';
import classes from './shell.module.css';

const PROBE_MS = 3000;

/** Says that the server is away, and asks until it is back; then everything that waited goes on by itself. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  useEffect(() => {
    if (isOnline) return;
    // The client tells `onlineManager` as soon as one of these is answered.
    const probe = () => void call('GET /', { isBackground: true, isLoginCheck: true }).catch(() => {});
    const timer = setInterval(probe, PROBE_MS);
    return () => clearInterval(timer);
  }, [isOnline]);
  if (isOnline) return null;
  return (
    <div className={classes.offline} role="alert">
      <IconPlugConnectedX size={16} aria-hidden="true" />
      The server does not answer. What is shown may be old; trying again every few seconds.
    </div>
  );
}
