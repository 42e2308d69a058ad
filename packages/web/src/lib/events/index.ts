export * from './server-events.ts';
