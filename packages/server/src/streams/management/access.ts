import type { Output, Stream } from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  EVENT_INDEX_SET_ID,
  FAILURE_INDEX_SET_ID,
  InvalidError,
  NotFoundError,
  type Principal,
} from '#core/index.ts';
import type { IndexSetRecord, Metadata, StreamRecord } from '#metadata/index.ts';
import type { StreamAttachments } from './attachments.ts';
import type { Operators } from './faults.ts';
import type { SnapshotPublisher } from './snapshot-publisher.ts';
import { isBuiltIn, type StreamAlerts, streamView } from './view.ts';

/** What all operations on streams share. */
export interface StreamContext {
  readonly metadata: Metadata;
  readonly publisher: SnapshotPublisher;
  readonly audit: AuditLog;
  readonly operators: Operators;
  /** By stream. */
  readonly alerts: () => Promise<ReadonlyMap<string, StreamAlerts>>;
  readonly outputViews: OutputViews;
  readonly attachments: () => StreamAttachments;
}

/** The outputs of the cluster by id, in the shape of the API. */
export type OutputViews = () => Promise<ReadonlyMap<string, Output>>;

/** A function that shows streams as this reader may see them. */
export async function viewFor(
  context: StreamContext,
  reader: Pick<Principal, 'can'>,
): Promise<(stream: StreamRecord) => Stream> {
  const alerts = await context.alerts();
  const views = reader.can('stream_outputs:read') ? await context.outputViews() : new Map<string, Output>();
  return (stream) =>
    streamView(stream, {
      alerts: alerts.get(stream.id),
      outputs: stream.outputIds.flatMap((id) => views.get(id) ?? []),
    });
}

/** What the creator of a stream may do with it. The grants end with the stream. */
export function permissionsOf(streamId: string): string[] {
  return ['read', 'edit', 'changestate'].map((action) => `streams:${action}:${streamId}`);
}

export async function requireStream({ metadata }: StreamContext, id: string): Promise<StreamRecord> {
  const stream = id.includes('\0') ? undefined : await metadata.repositories.streams.find(id);
  if (stream === undefined) throw streamNotFound(id);
  return stream;
}

/** A stream that is not built in. `attempt` completes the error message: "changed", "paused". */
export async function requireEditable(
  context: StreamContext,
  id: string,
  attempt: string,
): Promise<StreamRecord> {
  const stream = await requireStream(context, id);
  if (!isBuiltIn(id)) return stream;
  throw new InvalidError(`The stream "${stream.title}" is built in and cannot be ${attempt}.`);
}

export function streamNotFound(id: string): NotFoundError {
  return new NotFoundError(`Stream ${id} not found!`);
}

/** The id of the wanted index set, or of the default one. Rejects when messages cannot be written to it. */
export async function requireIndexSet(
  { metadata }: StreamContext,
  wanted: string | null | undefined,
): Promise<string> {
  const all = (await metadata.repositories.indexSets.list()).filter((set) => !set.deleting);
  const isWanted = (set: IndexSetRecord) => (wanted ? set.id === wanted : set.isDefault);
  const found = all.find(isWanted);
  if (found === undefined) {
    const name = wanted ? `index set "${wanted}"` : 'default index set';
    throw new InvalidError(`index_set_id: there is no ${name}. See /system/indices/index_sets.`, {
      path: 'index_set_id',
    });
  }
  if (!found.writable) {
    throw new InvalidError(
      `index_set_id: the index set "${found.title}" (${found.id}) is not writable. Choose a writable one.`,
      { path: 'index_set_id' },
    );
  }
  // Ordinary searches leave it out, so other messages in it would not be found.
  if (found.id === FAILURE_INDEX_SET_ID || found.id === EVENT_INDEX_SET_ID) {
    throw new InvalidError(
      `index_set_id: the index set "${found.title}" (${found.id}) is for ${found.id === EVENT_INDEX_SET_ID ? 'events' : 'processing failures'} only. Choose another one.`,
      { path: 'index_set_id' },
    );
  }
  return found.id;
}

export function recordChange(
  { audit }: StreamContext,
  { principal, remoteAddress }: Caller,
  action: string,
  before: StreamRecord | undefined,
  after: StreamRecord | undefined,
): Promise<void> {
  return audit.record({
    actor: principal.username,
    address: remoteAddress,
    action: `stream.${action}`,
    objectType: 'stream',
    objectId: (after ?? before)?.id,
    before: before && streamView(before),
    after: after && streamView(after),
  });
}
