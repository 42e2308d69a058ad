export interface SchemaMigrationsTable {
  version: number;
  name: string;
  applied_at: number;
  release: number;
}
