export * from './duration.ts';
export * from './instant.ts';
export * from './time-zone.tsx';
