import { createHash } from 'node:crypto';
import { StateConflictError } from './service-errors.ts';

/** Differs whenever something differs of what people edit. */
export function revisionOf(edited: unknown): string {
  return createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22);
}

export interface RevisionCheck {
  /** For the message: `stream "Web errors"`. */
  readonly what: string;
  readonly revision: string;
  /** The revision that the change was made from. Without one anything goes. */
  readonly wanted: string | null | undefined;
}

/** Throws when something is not what the change was made from. */
export function requireRevision({ what, revision, wanted }: RevisionCheck): void {
  if (!wanted || wanted === revision) return;
  throw new StateConflictError(
    `The ${what} was changed by somebody else meanwhile. Read it again and repeat your change, or leave out the revision to overwrite theirs.`,
  );
}
