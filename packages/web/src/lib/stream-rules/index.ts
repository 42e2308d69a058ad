export * from './rule-kinds.ts';
export * from './rules-of-query.ts';
