import { ForbiddenError, NotFoundError, type Principal } from '#core/index.ts';
import type { AlertRecord, MetadataScope } from '#metadata/index.ts';

export async function requireAlert({ repositories }: MetadataScope, id: string): Promise<AlertRecord> {
  const alert = id.includes('\0') ? undefined : await repositories.alerts.find(id);
  if (alert === undefined) throw new NotFoundError(`Alert ${id} not found!`);
  return alert;
}

/** Throws `ForbiddenError` for whoever may not read all of its streams, and `NotFoundError`. */
export async function requireReadableAlert(
  metadata: MetadataScope,
  reader: Pick<Principal, 'can'>,
  id: string,
): Promise<AlertRecord> {
  const alert = await requireAlert(metadata, id);
  const forbidden = alert.streams.filter((streamId) => !reader.can('streams:read', streamId));
  if (forbidden.length === 0 && (alert.streams.length > 0 || reader.can('streams:read'))) return alert;
  const needs = forbidden.length === 0 ? 'streams:read' : `streams:read:${forbidden.join(',')}`;
  throw new ForbiddenError(`Not authorized to access alert ${id}`, { needs });
}
