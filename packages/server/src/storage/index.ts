export * from './clickhouse/index.ts';
export * from './embedded/index.ts';
