import { requireRevision, revisionOf } from '#core/index.ts';
import type { StreamRecord } from '#metadata/index.ts';

/** Differs whenever something differs that people edit. A pause is no edit. */
export function streamRevision(stream: StreamRecord): string {
  const { title, description, matchingType, removeMatches, indexSetId, rules } = stream;
  return revisionOf([
    title,
    description,
    matchingType,
    removeMatches,
    indexSetId,
    rules.map((rule) => [rule.id, rule.type, rule.field, rule.value, rule.inverted, rule.description]),
  ]);
}

/** Throws when the stream is not the one that the change was made from. Without a revision anything goes. */
export function requireStreamRevision(stream: StreamRecord, wanted: string | null | undefined): void {
  requireRevision({ what: `stream "${stream.title}"`, revision: streamRevision(stream), wanted });
}
