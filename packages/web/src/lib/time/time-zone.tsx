import { createContext, useContext, useEffect, useState } from 'react';
import { browserZone } from './instant.ts';

const TimeZoneContext = createContext<string | undefined>(undefined);

/** The zone that all times below are shown in. A page that has its own in the URL puts another one inside. */
export const TimeZoneProvider = TimeZoneContext.Provider;

export function useTimeZone(): string {
  return useContext(TimeZoneContext) ?? browserZone();
}

/** The time now, renewed so often. */
export function useNow(intervalMs = 10_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}
