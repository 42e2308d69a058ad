export * from './figures.ts';
export * from './queries.ts';
