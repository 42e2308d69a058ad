export * from './edit-query.ts';
export * from './value-clause.ts';
