import { useRef, useState } from 'react';

/**
 * Whether something is being done, and a way to do it. What is asked for meanwhile is not done: somebody pressed a button
 * twice.
 */
export function useOneAtATime(): readonly [boolean, (work: () => Promise<void>) => Promise<void>] {
  const [isRunning, setRunning] = useState(false);
  // A second press may come before the first one is drawn.
  const isTaken = useRef(false);
  const run = async (work: () => Promise<void>) => {
    if (isTaken.current) return;
    isTaken.current = true;
    setRunning(true);
    try {
      await work();
    } finally {
      // A mutation says a timer later that it is under way: until then nothing else begins.
      setTimeout(() => {
        isTaken.current = false;
        setRunning(false);
      });
    }
  };
  return [isRunning, run];
}
