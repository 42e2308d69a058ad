import type { Caller } from '#core/index.ts';
import type { MetadataScope } from '#metadata/index.ts';

/** What has to be done when the transaction is committed. */
export type AfterCommit = () => Promise<void>;

/** What other components keep for a stream, such as its alert conditions, when the stream is copied or deleted. */
export interface StreamAttachments {
  /** Within the transaction that stores the copy. */
  copy(scope: MetadataScope, caller: Caller, sourceId: string, copyId: string): Promise<AfterCommit>;
  /** Within the transaction that deletes the stream, before that. */
  remove(scope: MetadataScope, caller: Caller, streamId: string): Promise<AfterCommit>;
}

const nothingMore: AfterCommit = async () => {};

export const NO_ATTACHMENTS: StreamAttachments = {
  copy: async () => nothingMore,
  remove: async () => nothingMore,
};
