import { createHash } from 'node:crypto';
import { StateConflictError } from '#core/index.ts';
import type { StreamRecord } from '#metadata/index.ts';

/** Differs whenever something differs that people edit. A pause is no edit. */
export function revisionOf(stream: StreamRecord): string {
  const { title, description, matchingType, removeMatches, indexSetId, rules } = stream;
  const edited = [
    title,
    description,
    matchingType,
    removeMatches,
    indexSetId,
    rules.map((rule) => [rule.id, rule.type, rule.field, rule.value, rule.inverted, rule.description]),
  ];
  return createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22);
}

/** Throws when the stream is not the one that the change was made from. Without a revision anything goes. */
export function requireRevision(stream: StreamRecord, wanted: string | null | undefined): void {
  if (!wanted || wanted === revisionOf(stream)) return;
  throw new StateConflictError(
    `The stream "${stream.title}" was changed by somebody else meanwhile. Read it again and repeat your change, or leave out the revision to overwrite theirs.`,
  );
}
