export * from './calendar.ts';
export * from './duration.ts';
export * from './instant.ts';
export * from './local-time.ts';
export * from './server-clock.ts';
export * from './time-range.ts';
export * from './time-zone.tsx';
