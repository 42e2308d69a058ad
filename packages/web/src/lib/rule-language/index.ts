export * from './pipeline-draft.ts';
export * from './problems.ts';
export * from './suggestions.ts';
