export * from './errors.ts';
export * from './paging.ts';
export * from './parameters.ts';
export * from './permissions.ts';
export * from './root.ts';
export * from './time.ts';
