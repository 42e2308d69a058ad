import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Migration } from '#metadata/migrate.ts';
import { type Metadata, openMetadata } from '#metadata/open.ts';
import type { NewUser } from '#metadata/repositories/index.ts';
import { ManualClock } from './manual-clock.ts';

export interface MetadataBackend {
  readonly kind: Metadata['kind'];
  /** The address of a database that nothing else uses, with nothing in it. */
  newDatabase(): Promise<string>;
  /** The same with the program's schema, where that can be had faster than by migrating a new database. */
  migratedDatabase?(): Promise<string>;
}

export interface OpenOptions {
  readonly clock?: ManualClock;
  readonly migrations?: readonly Migration[];
}

/** Opens a database and closes it when the test is over. */
export async function open(uri: string, options: OpenOptions = {}): Promise<Metadata> {
  const metadata = await openMetadata(
    { logger: pino({ level: 'silent' }), clock: options.clock ?? new ManualClock() },
    { uri, ...(options.migrations && { migrations: options.migrations }) },
  );
  onTestFinished(() => metadata.close());
  return metadata;
}

/** Opens a database that has no rows, and closes it when the test is over. */
export async function openEmpty(backend: MetadataBackend, options: OpenOptions = {}): Promise<Metadata> {
  const migrated = options.migrations === undefined ? backend.migratedDatabase : undefined;
  return open(await (migrated ?? backend.newDatabase)(), options);
}

export function aUser(changes: Partial<NewUser> = {}): NewUser {
  return {
    username: 'anna',
    email: 'anna@example.org',
    fullName: 'Anna Berg',
    firstName: 'Anna',
    lastName: 'Berg',
    passwordHash: 'scrypt$1$2$3',
    permissions: ['streams:read:1', 'streams:read:2'],
    preferences: { updateUnfocussed: false, enableSmartSearch: true },
    timezone: 'Europe/Berlin',
    sessionTimeoutMs: 3_600_000,
    startpage: { type: 'stream', id: '000000000000000000000001' },
    roles: [],
    status: 'enabled',
    serviceAccount: false,
    ...changes,
  };
}

export const NODE_BEAT = {
  nodeId: 'n',
  hostname: 'h',
  transportAddress: 't',
  version: 'v',
  startedAt: 1,
  isLeader: true,
  details: {},
};
