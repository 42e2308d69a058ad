import { PermanentError, RetryableError } from '#core/index.ts';
import { type ClickHouseServer, qualifiedName, type Replication } from '../clickhouse/index.ts';
import { MESSAGE_TABLE_VERSION, onEveryReplica, versionComment, versionOfComment } from './message-table.ts';
import { TABLE_MIGRATIONS, type TableMigration } from './migrations.ts';

/** Runs work that only one node may do at a time, and tells it whether that is still so. */
export type TakeTurn = (work: (isMyTurn: () => boolean) => Promise<void>) => Promise<void>;

export interface TableMigrationConfig {
  readonly database: string;
  readonly replication?: Replication | undefined;
  readonly migrations?: readonly TableMigration[];
  readonly version?: number;
  /** Undefined: nobody else is there. */
  readonly takeTurn?: TakeTurn | undefined;
}

const alone: TakeTurn = (work) => work(() => true);

/** Brings a table that exists to the newest layout. One of the next release is left as it is. */
export async function migrateTable(
  server: ClickHouseServer,
  table: string,
  config: TableMigrationConfig,
): Promise<void> {
  const { migrations = TABLE_MIGRATIONS, version = MESSAGE_TABLE_VERSION, takeTurn = alone } = config;
  if ((await usableLayout(server, table, config)) >= version) return;
  const name = onEveryReplica(qualifiedName(config.database, table), config.replication);
  await takeTurn(async (isMyTurn) => {
    const run = async (statement: string) => {
      if (!isMyTurn()) throw new RetryableError('another node may be changing the tables of messages by now');
      await server.command(statement);
    };
    // Somebody else may have done it meanwhile.
    const present = await usableLayout(server, table, config);
    for (const migration of migrations) {
      if (migration.version <= present) continue;
      for (const statement of migration.statements(name)) await run(statement);
      await run(`ALTER TABLE ${name} MODIFY COMMENT '${versionComment(migration.version)}'`);
    }
  });
}

/** Rejects if this program cannot use the table. */
async function usableLayout(
  server: ClickHouseServer,
  table: string,
  { database, replication, version = MESSAGE_TABLE_VERSION }: TableMigrationConfig,
): Promise<number> {
  const [found] = await server.query<{ comment: string; engine: string }>(
    'SELECT comment, engine FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { parameters: { database, table } },
  );
  const present = versionOfComment(found?.comment ?? '');
  if (present === undefined || present > version + 1) {
    throw new PermanentError(
      `the table ${table} in the ClickHouse database ${database} is not one this version of Millrace can use (${found?.comment || 'no comment'}); start the version that made it, or rename the table`,
    );
  }
  if (replication !== undefined && !/^(Replicated|Shared)/.test(found?.engine ?? '')) {
    throw new PermanentError(
      `the table ${table} in the ClickHouse database ${database} is not replicated (${found?.engine}), and clickhouse_replicated is set; set clickhouse_database to a new name and move the messages there, or leave clickhouse_replicated out`,
    );
  }
  return present;
}
