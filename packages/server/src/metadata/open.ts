import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type Clock, type CountsChanges, StartupError } from '#core/index.ts';
import type { DatabaseKind } from './columns.ts';
import type { TransactionScope } from './guarded-dialect.ts';
import { type Migration, migrate } from './migrate.ts';
import { migrations as allMigrations } from './migrations/registry.ts';
import { type ConnectionUse, checkPostgres, createPostgresDialect } from './postgres.ts';
import { createRepositories, type Repositories } from './repositories/index.ts';
import { createSqliteDialect } from './sqlite.ts';
import { type ImmediateReader, openSqliteReader } from './sqlite-reader.ts';
import type { Database } from './tables/index.ts';

export interface MetadataDeps {
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface MetadataSettings {
  /** `sqlite:<path>`, `sqlite::memory:` or `postgres://user:password@host:port/database`. */
  readonly uri: string;
  /** Replaces the program's own migrations in tests of the runner. */
  readonly migrations?: readonly Migration[];
}

/** Access to the data, inside or outside a transaction. */
export interface MetadataScope {
  readonly db: Kysely<Database>;
  readonly repositories: Repositories;
}

/**
 * The metadata database, with its schema up to date.
 *
 * Contract: calls reject with `ConflictError` if a unique value is taken or a referenced record does not exist, with
 * `RetryableError` if the database is unavailable, busy or full, and with `InvalidError` for text that cannot be stored.
 */
export interface Metadata extends MetadataScope, CountsChanges {
  readonly kind: DatabaseKind;
  /**
   * Stores everything `work` writes, or nothing if it throws. `work` must access the metadata only through its scope and
   * must not wait for anything slow. It runs only once.
   */
  transaction<T>(work: (scope: MetadataScope) => Promise<T>): Promise<T>;
  /**
   * For SQLite, a number that differs after every commit that changed something: at once after those of this process, with
   * the next turn of the event loop after those of another one. Undefined for PostgreSQL, or if the file is locked.
   */
  version(): number | undefined;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Waits for running queries. May be called more than once. */
  close(): Promise<void>;
}

/** Opens the database, creates or migrates its schema, and rejects with a `StartupError` if it cannot. */
export async function openMetadata(deps: MetadataDeps, settings: MetadataSettings): Promise<Metadata> {
  const { logger, clock } = deps;
  const scope: TransactionScope = new AsyncLocalStorage();
  const migrations = settings.migrations ?? allMigrations;
  const target = parseMetadataUri(settings.uri);

  if (target.kind === 'sqlite') {
    let writes = 0;
    const dialect = createSqliteDialect(target.path, scope, () => {
      writes += 1;
    });
    const db = new Kysely<Database>({ dialect });
    try {
      await migrate({ db, kind: 'sqlite', logger, clock }, migrations);
    } catch (error) {
      await db.destroy();
      throw error;
    }
    const countWrites = () => writes;
    const reader = openSqliteReader(target.path, countWrites);
    // Nobody else sees a database in memory.
    return createMetadata(deps, 'sqlite', db, scope, { reader, version: reader?.version ?? countWrites });
  }

  await checkPostgres(target.uri);
  const migrating = new Kysely<Database>({
    dialect: createPostgresDialect(logger, target.uri, 'migration', scope),
  });
  try {
    await migrate({ db: migrating, kind: 'postgres', logger, clock }, migrations);
  } finally {
    await migrating.destroy();
  }
  const connect = (use: ConnectionUse) =>
    new Kysely<Database>({ dialect: createPostgresDialect(logger, target.uri, use, scope) });
  const metadata = withOwnHeartbeats(
    createMetadata(deps, 'postgres', connect('queries'), scope),
    connect('heartbeats'),
    clock,
  );
  // Kysely initialises a driver with the first query and does not close one that never ran any.
  try {
    await metadata.ping();
  } catch (error) {
    await metadata.close();
    throw error;
  }
  return metadata;
}

/** What only SQLite can do. */
interface SqliteExtras {
  readonly reader?: ImmediateReader | undefined;
  readonly version?: Metadata['version'];
}

function createMetadata(
  deps: MetadataDeps,
  kind: DatabaseKind,
  db: Kysely<Database>,
  scope: TransactionScope,
  { reader, version = () => undefined }: SqliteExtras = {},
): Metadata {
  let closing: Promise<void> | undefined;
  return {
    kind,
    db,
    version,
    repositories: createRepositories(db, deps.clock, kind, reader),
    transaction: (work) =>
      db.transaction().execute(async (transaction) => {
        const mark = { open: true };
        const repositories = createRepositories(transaction, deps.clock, kind);
        try {
          return await scope.run(mark, () => work({ db: transaction, repositories }));
        } finally {
          // Timers and queues started inside keep this mark and may run queries after the transaction.
          mark.open = false;
        }
      }),
    ping: async () => {
      await db.selectFrom('schema_migrations').select('version').limit(1).execute();
    },
    close: () => {
      closing ??= db.destroy().finally(() => reader?.close());
      return closing;
    },
  };
}

/** Heartbeats and leases do not share the connections of everything else. */
function withOwnHeartbeats(metadata: Metadata, db: Kysely<Database>, clock: Clock): Metadata {
  const { nodes, leases } = createRepositories(db, clock, metadata.kind);
  return {
    ...metadata,
    repositories: { ...metadata.repositories, nodes, leases },
    close: async () => {
      await Promise.all([metadata.close(), db.destroy()]);
    },
  };
}

export type MetadataTarget = { kind: 'sqlite'; path: string } | { kind: 'postgres'; uri: string };

export function parseMetadataUri(uri: string): MetadataTarget {
  if (uri.startsWith('sqlite:')) {
    // Other programs write an absolute path as `sqlite:///var/x.db`.
    const path = uri.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (path !== '') return { kind: 'sqlite', path };
  }
  if (/^postgres(ql)?:\/\//.test(uri) && URL.canParse(uri)) return { kind: 'postgres', uri };
  // The rest of the URI may contain a password.
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0] ?? uri.slice(0, 12);
  throw new StartupError(
    `metadata_uri \`${scheme}…\` is not the URI of a metadata database`,
    'Use `sqlite:<path of a file>` or `postgres://user:password@host:5432/database`; special characters in the password must be percent-encoded.',
  );
}
