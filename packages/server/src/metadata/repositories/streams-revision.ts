import type { Kysely } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';

const REVISION = 'streams_revision';

/** Differs after every change of streams, their rules and their outputs. */
export async function readStreamsRevision(db: Kysely<Database>): Promise<string> {
  const row = await db
    .selectFrom('cluster_settings')
    .select('value')
    .where('key', '=', REVISION)
    .executeTakeFirst();
  return row === undefined ? '' : String(readJson(row.value));
}

export async function changeStreamsRevision(db: Kysely<Database>, clock: Clock): Promise<void> {
  const row = { value: writeJson<unknown>(newEntityId(clock.now())), updated_at: clock.now() };
  await db
    .insertInto('cluster_settings')
    .values({ key: REVISION, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}
