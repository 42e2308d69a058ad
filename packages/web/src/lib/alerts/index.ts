export * from './queries.ts';
export * from './sentence.ts';
