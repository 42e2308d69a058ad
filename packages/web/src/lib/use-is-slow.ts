import { useEffect, useState } from 'react';

/** Whether something has been running for longer than this. */
export function useIsSlow(isRunning: boolean, afterMs: number): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isRunning) return;
    const timer = setTimeout(() => setSlow(true), afterMs);
    return () => clearTimeout(timer);
  }, [isRunning, afterMs]);
  return isRunning && isSlow;
}
