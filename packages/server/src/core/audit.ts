import type { Principal } from './principal.ts';

/** Who asks for a change, and from where. A route's request is one. */
export interface Caller {
  readonly principal: Principal;
  readonly remoteAddress: string;
}

/** One thing that was done, or that somebody tried to do. */
export interface AuditEntry {
  /** User name; for a failed login the name that was tried. */
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
  /** Success unless told otherwise. */
  readonly outcome?: 'success' | 'failure';
}

/**
 * The record of who did what.
 *
 * Contract: `record` is called after the change is stored (or refused), resolves when the entry is stored, and
 * never rejects: a change that was made is not reported as failed because of its record. Entries that could
 * not be stored are written to the log instead.
 */
export interface AuditLog {
  record(entry: AuditEntry): Promise<void>;
}
