export * from './examples.ts';
export * from './queries.ts';
