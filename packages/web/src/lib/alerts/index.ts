export * from './alert-search.ts';
export * from './queries.ts';
export * from './sentence.ts';
export * from './sentence-slots.ts';
