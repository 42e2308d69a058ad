export type { DatabaseKind } from './columns.ts';
export { nameKey } from './columns.ts';
export type { Migration, MigrationDatabase } from './migrate.ts';
export type { Metadata, MetadataDeps, MetadataScope, MetadataSettings } from './open.ts';
export { openMetadata } from './open.ts';
export type { Page, PageRequest } from './paging.ts';
export { eventKeyId } from './repositories/alerts.ts';
export type * from './repositories/index.ts';
export type { Database } from './tables/index.ts';
