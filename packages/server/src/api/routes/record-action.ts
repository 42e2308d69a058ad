import type { AuditLog, Caller } from '#core/index.ts';

/** Puts on record what a caller did through a route that needs no service of its own. */
export function recordAction(
  audit: AuditLog,
  caller: Caller,
  action: `${string}.${string}`,
  objectId: string,
  after?: unknown,
): Promise<void> {
  return audit.record({
    actor: caller.principal.username,
    address: caller.remoteAddress,
    action,
    objectType: action.slice(0, action.indexOf('.')),
    objectId,
    ...(after === undefined ? {} : { after }),
  });
}
