import type { Principal } from './principal.ts';

/** Who requests a change, and from where. A route's request is one. */
export interface Caller {
  readonly principal: Principal;
  readonly remoteAddress: string;
}

/** An action, or an attempt that failed. */
export interface AuditEntry {
  /** User name; for a failed login the attempted name. */
  readonly actor: string;
  readonly address?: string | undefined;
  /** `<object type>.<verb>`: `user.create`, `stream.update`, `session.create`. */
  readonly action: string;
  /** `user`, `role`, `stream`, … */
  readonly objectType: string;
  readonly objectId?: string | undefined;
  /** The object before and after, in the shape of the API. Secrets are masked when the entry is stored. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** Default: success. */
  readonly outcome?: 'success' | 'failure';
}

/**
 * The record of who did what.
 *
 * Contract: call `record` after the change is stored or refused. It resolves when the entry is stored and never
 * rejects: a stored change must not be reported as failed because of its audit entry. Entries that cannot be stored are
 * written to the log instead.
 */
export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
}

/** Records a successful action of a caller. The object type is the part of `action` before the first dot. */
export function recordAction(
  audit: AuditLog,
  caller: Caller,
  action: `${string}.${string}`,
  object: Pick<AuditEntry, 'objectId' | 'before' | 'after'>,
): Promise<void> {
  return audit.record({
    actor: caller.principal.username,
    address: caller.remoteAddress,
    action,
    objectType: action.slice(0, action.indexOf('.')),
    ...object,
  });
}
