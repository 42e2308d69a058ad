export * from './me.tsx';
export * from './preferences.ts';
export * from './session-timeout.ts';
export * from './theme.ts';
export * from './time-zone.ts';
export * from './unstored-preference.ts';
