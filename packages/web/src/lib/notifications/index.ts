export * from './advice.ts';
export * from './notifications.ts';
export * from './queries.ts';
