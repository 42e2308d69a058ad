export * from './clickhouse/index.ts';
export * from './embedded/index.ts';
export type { IndexAge, IndexSetSnapshot, WritableIndexSet } from './index-sets/snapshot.ts';
export { activeIndex, indexActiveAt } from './index-sets/snapshot.ts';
