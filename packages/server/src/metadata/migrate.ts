import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { type Clock, errorMessage, RetryableError, StartupError } from '#core/index.ts';
import { type ColumnTypes, columnTypes, type DatabaseKind } from './columns.ts';
import type { Database } from './tables/index.ts';

/**
 * One step of the schema. A released migration never changes; a later one corrects it.
 *
 * Contract: `up` uses only its arguments (never the repositories, which expect the current schema), always runs the same
 * statements, and leaves commit and rollback to the runner. Programs of the release before go on with the database, since
 * the nodes of a cluster are upgraded one after the other: a step adds tables, indexes, and columns that may be null or have a
 * default. What nobody uses any more is dropped by a step of the release after that.
 */
export interface Migration {
  /** 1, 2, 3, … without gaps, in the order of the registry. */
  readonly version: number;
  /** The release that it came with: 1, 2, 3, … Undefined: the first one. */
  readonly release?: number;
  /** Lower-case words, as in the file name. */
  readonly name: string;
  up(db: MigrationDatabase, types: ColumnTypes): Promise<void>;
}

/**
 * For schema changes and raw `sql`. No typed queries: a migration works on the schema of its time, which the current
 * types do not describe.
 */
export type MigrationDatabase = Pick<Kysely<unknown>, 'schema' | 'getExecutor'>;

export interface MigrationDeps {
  readonly db: Kysely<Database>;
  readonly kind: DatabaseKind;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Any number, as long as every version of the program uses the same. These are the letters "millra". */
const ADVISORY_LOCK = 0x6d_69_6c_6c_72_61;

/**
 * Migrates the schema to the program's version. Nodes that start at the same time take turns: each step runs in a
 * transaction that first takes the lock and then checks which step is next, so no step runs twice. A failed step leaves
 * the schema as the previous step left it.
 */
export async function migrate(deps: MigrationDeps, migrations: readonly Migration[]): Promise<void> {
  assertNumbered(migrations);
  let isNewDatabase = false;
  for (;;) {
    // One transaction per step: the steps before a failing one stay applied.
    const done = await applyNextMigration(deps, migrations);
    if (done === undefined) return;
    const { version, name } = done;
    isNewDatabase ||= version === 1;
    const level = isNewDatabase ? 'debug' : 'info';
    deps.logger[level]({ version, migration: name }, 'metadata schema migrated');
  }
}

/** Resolves with the step that was applied, or with nothing if the schema is up to date. */
async function applyNextMigration(
  deps: MigrationDeps,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  let running: Migration | undefined;
  try {
    return await deps.db.transaction().execute(async (transaction) => {
      await takeLock(deps, transaction);
      const current = await readState(deps.kind, transaction);
      if (current.version > migrations.length) return followNewer(deps, current, migrations);
      const next = migrations[current.version];
      if (!next) return undefined;
      running = next;
      await next.up(transaction, columnTypes(deps.kind));
      await transaction
        .insertInto('schema_migrations')
        .values({
          version: next.version,
          name: next.name,
          applied_at: deps.clock.now(),
          release: releaseOf(next),
        })
        .execute();
      return next;
    });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw migrationError(running, error);
  }
}

async function takeLock(deps: MigrationDeps, transaction: Transaction<Database>): Promise<void> {
  // SQLite transactions start with the write lock of the whole database.
  if (deps.kind === 'sqlite') return;
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)}) as taken`.execute(transaction);
  if (rows[0]?.taken) return;
  deps.logger.info('waiting for another node that is migrating the metadata schema');
  await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(transaction);
}

/** What the schema of a database is. */
interface SchemaState {
  readonly version: number;
  readonly release: number;
}

const releaseOf = (migration: Migration | undefined): number => migration?.release ?? 1;

async function readState(kind: DatabaseKind, transaction: Transaction<Database>): Promise<SchemaState> {
  const types = columnTypes(kind);
  await transaction.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('version', types.integer, (column) => column.primaryKey())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('applied_at', types.time, (column) => column.notNull())
    .addColumn('release', types.integer, (column) => column.notNull().defaultTo(1))
    .execute();
  await addReleases(kind, transaction);
  const row = await transaction
    .selectFrom('schema_migrations')
    .select(({ fn }) => [fn.max('version').as('version'), fn.max('release').as('release')])
    .executeTakeFirst();
  return { version: row?.version ?? 0, release: row?.release ?? 1 };
}

/** The table was there before releases were counted. */
async function addReleases(kind: DatabaseKind, transaction: Transaction<Database>): Promise<void> {
  const columns =
    kind === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info('schema_migrations')`
      : sql<{
          name: string;
        }>`select attname as name from pg_attribute where attrelid = 'schema_migrations'::regclass`;
  const { rows } = await columns.execute(transaction);
  if (rows.some(({ name }) => name === 'release')) return;
  await transaction.schema
    .alterTable('schema_migrations')
    .addColumn('release', columnTypes(kind).integer, (column) => column.notNull().defaultTo(1))
    .execute();
}

/** During an upgrade a node of the release before may start again. It uses the schema as it is. */
function followNewer(
  { logger }: MigrationDeps,
  current: SchemaState,
  migrations: readonly Migration[],
): undefined {
  const known = migrations.length;
  if (current.release > releaseOf(migrations.at(-1)) + 1) {
    throw new StartupError(
      `the metadata database has schema version ${current.version}, but this program knows versions up to ${known}: a Millrace that is newer by more than one release has used it`,
      'Start the newer Millrace again, or restore the backup of the metadata database made before the upgrade. Nodes of a cluster may differ by one release, so upgrade one release at a time.',
    );
  }
  logger.warn(
    { version: current.version, known },
    'a node of the next release has migrated the metadata schema: upgrade this node, too',
  );
}

function migrationError(running: Migration | undefined, error: unknown): Error {
  const doing = running
    ? `migration ${running.version} (${running.name}) of the metadata database failed`
    : 'the schema of the metadata database could not be read';
  const advice =
    error instanceof RetryableError
      ? 'The schema is unchanged. Fix the cause and start again.'
      : 'The schema is unchanged. If the database user lacks privileges on the schema, grant them; otherwise report this error with the message above.';
  return new StartupError(`${doing}: ${errorMessage(error)}`, advice, { cause: error });
}

function assertNumbered(migrations: readonly Migration[]): void {
  for (const [index, migration] of migrations.entries()) {
    if (migration.version !== index + 1) {
      throw new Error(`migration ${migration.name} has version ${migration.version}, expected ${index + 1}`);
    }
  }
}
