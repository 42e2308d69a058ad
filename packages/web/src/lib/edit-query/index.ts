export * from './clauses.ts';
export * from './edit-query.ts';
export * from './value-clause.ts';
