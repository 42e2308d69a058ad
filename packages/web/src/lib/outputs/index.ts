export * from './queries.ts';
export * from './state.ts';
