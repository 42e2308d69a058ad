import { type Kysely, type Selectable, sql } from 'kysely';
import type { Clock } from '#core/index.ts';
import { readOptionalJson, writeOptionalJson } from '../columns.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { AuditLogTable, AuditOutcome } from '../tables/audit-log.ts';
import type { Database } from '../tables/index.ts';
import { containsPattern } from './like-pattern.ts';

export interface NewAuditEntry {
  /** The user name. */
  readonly actor: string;
  /** The remote address of the request. */
  readonly actorAddress: string | null;
  /** What was done: `users:create`, … */
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string | null;
  /** The object before and after, undefined if it did not exist. The caller masks secrets. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly outcome: AuditOutcome;
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: string;
  readonly time: number;
}

/** Every given value must match exactly. Times are in milliseconds: `from` is inclusive, `to` exclusive. */
export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly objectType?: string;
  readonly objectId?: string;
  readonly outcome?: AuditOutcome;
  readonly from?: number;
  readonly to?: number;
  /** Anywhere in the entry, ignoring the case of ASCII letters. */
  readonly text?: string;
}

export interface AuditLogRepository {
  insert(entry: NewAuditEntry): Promise<void>;
  /** Newest first. */
  listPage(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
  /** Removes entries older than `time`; returns how many. */
  removeBefore(time: number): Promise<number>;
}

export function createAuditLogRepository(db: Kysely<Database>, clock: Clock): AuditLogRepository {
  return {
    async insert(entry) {
      await db
        .insertInto('audit_log')
        .values({
          time: clock.now(),
          actor: entry.actor,
          actor_address: entry.actorAddress,
          action: entry.action,
          object_type: entry.objectType,
          object_id: entry.objectId,
          before: writeOptionalJson(entry.before),
          after: writeOptionalJson(entry.after),
          outcome: entry.outcome,
        })
        .execute();
    },

    async listPage(filter, page) {
      const matching = select(db, filter);
      const rows = await matching
        .selectAll()
        .orderBy('time', 'desc')
        .orderBy('sequence', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      const { total } = await matching
        .select((expression) => expression.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(fromRow), total };
    },

    async removeBefore(time) {
      const result = await db.deleteFrom('audit_log').where('time', '<', time).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}

function select(db: Kysely<Database>, filter: AuditFilter) {
  let query = db.selectFrom('audit_log');
  if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.objectType !== undefined) query = query.where('object_type', '=', filter.objectType);
  if (filter.objectId !== undefined) query = query.where('object_id', '=', filter.objectId);
  if (filter.outcome !== undefined) query = query.where('outcome', '=', filter.outcome);
  if (filter.from !== undefined) query = query.where('time', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('time', '<', filter.to);
  if (filter.text !== undefined) {
    // Only ASCII, as `lower()` of both databases does: a lowered Ä would never be found.
    const pattern = containsPattern(filter.text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
    query = query.where(sql<boolean>`lower(${WHOLE_ENTRY}) like ${pattern} escape '!'`);
  }
  return query;
}

/** Joined with line feeds, so that a match cannot span two columns. */
const WHOLE_ENTRY = sql.join(
  ['actor', 'actor_address', 'action', 'object_type', 'object_id', 'before', 'after'].map(
    (column) => sql`coalesce(${sql.ref(column)}, '')`,
  ),
  sql.raw(` || '\n' || `),
);

function fromRow(row: Selectable<AuditLogTable>): AuditEntry {
  return {
    id: String(row.sequence),
    time: row.time,
    actor: row.actor,
    actorAddress: row.actor_address,
    action: row.action,
    objectType: row.object_type,
    objectId: row.object_id,
    before: readOptionalJson(row.before),
    after: readOptionalJson(row.after),
    outcome: row.outcome,
  };
}
