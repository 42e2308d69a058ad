import { type AuditPage, type AuditQuery, formatTimestamp } from '@millrace/contract';
import type { Logger } from 'pino';
import type { AuditLog } from '#core/index.ts';
import type { AuditFilter, AuditLogRepository } from '#metadata/index.ts';
import { maskSecrets } from './mask-secrets.ts';

/** The audit log in the metadata database. */
export interface StoredAuditLog extends AuditLog {
  /** Newest first. */
  search(query: AuditQuery): Promise<AuditPage>;
}

const MAX_TEXT_LENGTH = 1000;

export function createAuditLog(deps: {
  readonly repository: AuditLogRepository;
  readonly logger: Logger;
}): StoredAuditLog {
  return {
    async record(entry) {
      const stored = {
        actor: storable(entry.actor),
        actorAddress: entry.address === undefined ? null : storable(entry.address),
        action: entry.action,
        objectType: entry.objectType,
        objectId: entry.objectId === undefined ? null : storable(entry.objectId),
        before: maskSecrets(entry.before),
        after: maskSecrets(entry.after),
        outcome: entry.outcome ?? 'success',
      } as const;
      try {
        await deps.repository.insert(stored);
      } catch (error) {
        deps.logger.error({ err: error, audit: stored }, 'an audit log entry could not be stored');
      }
    },

    async search(query) {
      const page = await deps.repository.listPage(toFilter(query), {
        limit: query.per_page,
        offset: (query.page - 1) * query.per_page,
      });
      return {
        total: page.total,
        count: page.items.length,
        page: query.page,
        per_page: query.per_page,
        entries: page.items.map((entry) => ({
          id: entry.id,
          timestamp: formatTimestamp(entry.time),
          actor: entry.actor,
          address: entry.actorAddress,
          action: entry.action,
          object_type: entry.objectType,
          object_id: entry.objectId,
          before: entry.before ?? null,
          after: entry.after ?? null,
          outcome: entry.outcome,
        })),
      };
    },
  };
}

/** User names of failed logins can be any text, and the entry must be stored anyway. */
function storable(text: string): string {
  return text.replaceAll('\0', '\u{fffd}').slice(0, MAX_TEXT_LENGTH);
}

function toFilter(query: AuditQuery): AuditFilter {
  return {
    ...(query.actor === undefined ? {} : { actor: query.actor }),
    ...(query.action === undefined ? {} : { action: query.action }),
    ...(query.object_type === undefined ? {} : { objectType: query.object_type }),
    ...(query.object_id === undefined ? {} : { objectId: query.object_id }),
    ...(query.outcome === undefined ? {} : { outcome: query.outcome }),
    ...(query.from === undefined ? {} : { from: Date.parse(query.from) }),
    ...(query.to === undefined ? {} : { to: Date.parse(query.to) }),
    ...(query.query === undefined || query.query === '' ? {} : { text: query.query }),
  };
}
