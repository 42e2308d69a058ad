export * from './notifications.ts';
export * from './queries.ts';
