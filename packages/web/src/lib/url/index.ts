export * from './list-params.ts';
export * from './own-path.ts';
export * from './page-params.ts';
export * from './search-string.ts';
