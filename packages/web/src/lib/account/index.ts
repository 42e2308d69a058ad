export * from './me.tsx';
export * from './preferences.ts';
