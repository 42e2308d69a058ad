import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { type Clock, ConflictError } from '#core/index.ts';
import { nameKey } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { SessionsTable } from '../tables/sessions.ts';
import { inTransaction } from './transaction.ts';

export interface NewSession {
  /** The session id itself is never stored. */
  readonly idHash: string;
  /** Null for the root user, who is not stored: the session belongs to the user name alone. */
  readonly userId: string | null;
  readonly username: string;
  readonly timeoutMs: number;
  readonly clientAddress: string | null;
}

export interface SessionRecord extends NewSession {
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

/** A session lives until `timeoutMs` after its last use. Expired sessions are never returned. */
export interface SessionsRepository {
  /**
   * Rejects with `ConflictError` if the hash is taken or the user does not exist. With `passwordHash`, also if the user is
   * not enabled or has another password by now: whoever changes these has ended the sessions, and must not miss this one.
   */
  insert(session: NewSession, passwordHash?: string): Promise<SessionRecord>;
  find(idHash: string): Promise<SessionRecord | undefined>;
  /** Most recently used first. */
  listByUsername(username: string): Promise<readonly SessionRecord[]>;
  /** Of each user with live sessions the most recently used one; the most recent first. */
  listLatest(): Promise<readonly SessionRecord[]>;
  /** Extends a live session; false if there is none. Ignores a time before the stored one. */
  touch(idHash: string, at: number): Promise<boolean>;
  /** False if there was none. */
  remove(idHash: string): Promise<boolean>;
  /** Removes all sessions of the user except the one with `exceptIdHash`; returns how many. */
  removeByUsername(username: string, exceptIdHash?: string): Promise<number>;
  /** Changes the timeout of the user's sessions, counted from their last use. */
  changeTimeout(username: string, timeoutMs: number): Promise<void>;
  /** Returns how many were removed. */
  removeExpired(): Promise<number>;
}

export function createSessionsRepository(db: Kysely<Database>, clock: Clock): SessionsRepository {
  return { ...createSessionReads(db, clock), ...createSessionWrites(db, clock) };
}

const endsAt: RawBuilder<number> = sql`${sql.ref('last_used_at')} + ${sql.ref('timeout_ms')}`;

function createSessionReads(db: Kysely<Database>, clock: Clock) {
  const live = () => db.selectFrom('sessions').selectAll().where(endsAt, '>', clock.now());
  return {
    async find(idHash: string): Promise<SessionRecord | undefined> {
      const row = await live().where('id_hash', '=', idHash).executeTakeFirst();
      return row && fromRow(row);
    },

    async listByUsername(username: string): Promise<readonly SessionRecord[]> {
      const rows = await live()
        .where('username_key', '=', nameKey(username))
        .orderBy('last_used_at', 'desc')
        .orderBy('id_hash')
        .execute();
      return rows.map(fromRow);
    },

    async listLatest(): Promise<readonly SessionRecord[]> {
      // A script that logs in every second has thousands.
      const ranked = live().select((expression) =>
        expression.fn
          .agg<number>('row_number')
          .over((over) => over.partitionBy('username_key').orderBy('last_used_at', 'desc').orderBy('id_hash'))
          .as('place'),
      );
      const rows = await db
        .selectFrom(ranked.as('ranked'))
        .selectAll()
        .where('place', '=', 1)
        .orderBy('last_used_at', 'desc')
        .orderBy('id_hash')
        .execute();
      return rows.map(fromRow);
    },
  };
}

function createSessionWrites(db: Kysely<Database>, clock: Clock) {
  return {
    insert: (session: NewSession, passwordHash?: string): Promise<SessionRecord> =>
      inTransaction(db, async (transaction) => {
        if (session.userId !== null && passwordHash !== undefined) {
          await lockUser(transaction, session.userId, passwordHash);
        }
        const row = {
          id_hash: session.idHash,
          user_id: session.userId,
          username: session.username,
          username_key: nameKey(session.username),
          created_at: clock.now(),
          last_used_at: clock.now(),
          timeout_ms: session.timeoutMs,
          client_address: session.clientAddress,
        };
        await transaction.insertInto('sessions').values(row).execute();
        return fromRow(row);
      }),

    async touch(idHash: string, at: number): Promise<boolean> {
      const result = await db
        .updateTable('sessions')
        .set((expression) => ({
          last_used_at: expression
            .case()
            .when('last_used_at', '<', at)
            .then(expression.val(at)) // a plain number would become part of the SQL text: a new statement each time
            .else(expression.ref('last_used_at'))
            .end(),
        }))
        .where('id_hash', '=', idHash)
        .where(endsAt, '>', clock.now())
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    async remove(idHash: string): Promise<boolean> {
      const result = await db.deleteFrom('sessions').where('id_hash', '=', idHash).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async removeByUsername(username: string, exceptIdHash?: string): Promise<number> {
      let query = db.deleteFrom('sessions').where('username_key', '=', nameKey(username));
      if (exceptIdHash !== undefined) query = query.where('id_hash', '!=', exceptIdHash);
      const result = await query.executeTakeFirst();
      return Number(result.numDeletedRows);
    },

    async changeTimeout(username: string, timeoutMs: number): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ timeout_ms: timeoutMs })
        .where('username_key', '=', nameKey(username))
        // An expired session stays expired.
        .where(endsAt, '>', clock.now())
        .execute();
    },

    async removeExpired(): Promise<number> {
      const result = await db.deleteFrom('sessions').where(endsAt, '<=', clock.now()).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}

/** Nobody else changes the user until the transaction ends. */
async function lockUser(transaction: Kysely<Database>, id: string, passwordHash: string): Promise<void> {
  const user = await transaction
    .updateTable('users')
    .set({ id })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('status', '=', 'enabled')
    .returning('id')
    .executeTakeFirst();
  if (user === undefined) throw new ConflictError('the user has changed since the password was checked');
}

function fromRow(row: Selectable<SessionsTable>): SessionRecord {
  return {
    idHash: row.id_hash,
    userId: row.user_id,
    username: row.username,
    timeoutMs: row.timeout_ms,
    clientAddress: row.client_address,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
