import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { nameKey } from '../columns.ts';
import type { AccessTokensTable } from '../tables/access-tokens.ts';
import type { Database } from '../tables/index.ts';

export interface NewAccessToken {
  /** Null for the root user, who is not stored: the token belongs to the user name alone. */
  readonly userId: string | null;
  readonly username: string;
  readonly name: string;
  /** The token itself is never stored. */
  readonly tokenHash: string;
}

export interface AccessTokenRecord extends NewAccessToken {
  readonly id: string;
  readonly createdAt: number;
  /** 0 (the epoch) until the first use. */
  readonly lastAccess: number;
}

export interface AccessTokensRepository {
  /** Rejects with `ConflictError` if the hash is taken or the user does not exist. */
  insert(token: NewAccessToken): Promise<AccessTokenRecord>;
  findByHash(tokenHash: string): Promise<AccessTokenRecord | undefined>;
  findById(id: string): Promise<AccessTokenRecord | undefined>;
  /** Oldest first. */
  listByUsername(username: string): Promise<readonly AccessTokenRecord[]>;
  /** Stores the time of a use; ignores a time before the stored one. */
  touch(id: string, at: number): Promise<void>;
  /** False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  /** Returns how many were removed. */
  removeByUsername(username: string): Promise<number>;
}

export function createAccessTokensRepository(db: Kysely<Database>, clock: Clock): AccessTokensRepository {
  return {
    async insert(token) {
      const row = {
        id: newEntityId(clock.now()),
        user_id: token.userId,
        username: token.username,
        username_key: nameKey(token.username),
        name: token.name,
        token_hash: token.tokenHash,
        created_at: clock.now(),
        last_access: 0,
      };
      await db.insertInto('access_tokens').values(row).execute();
      return fromRow(row);
    },

    async findByHash(tokenHash) {
      const row = await db
        .selectFrom('access_tokens')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async findById(id) {
      const row = await db.selectFrom('access_tokens').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async listByUsername(username) {
      const rows = await db
        .selectFrom('access_tokens')
        .selectAll()
        .where('username_key', '=', nameKey(username))
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(fromRow);
    },

    async touch(id, at) {
      await db
        .updateTable('access_tokens')
        .set({ last_access: at })
        .where('id', '=', id)
        .where('last_access', '<', at)
        .execute();
    },

    async remove(id) {
      const result = await db.deleteFrom('access_tokens').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async removeByUsername(username) {
      const result = await db
        .deleteFrom('access_tokens')
        .where('username_key', '=', nameKey(username))
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}

function fromRow(row: Selectable<AccessTokensTable>): AccessTokenRecord {
  return {
    id: row.id,
    userId: row.user_id,
    username: row.username,
    name: row.name,
    tokenHash: row.token_hash,
    createdAt: row.created_at,
    lastAccess: row.last_access,
  };
}
