import { FAILURE_STREAM_ID, ForbiddenError, type Principal } from '#core/index.ts';

/**
 * The streams that a follower sees, in ascending order; undefined for all streams. `wanted` are the requested streams,
 * undefined for everything. Processing failures are left out unless requested. Throws `ForbiddenError` for a stream that
 * the caller may not read, and for callers who may neither search nor read any stream.
 */
export function followedStreams(
  principal: Pick<Principal, 'can'>,
  wanted: readonly string[] | undefined,
  allStreams: readonly string[],
  includesFailures: boolean,
): readonly string[] | undefined {
  if (wanted !== undefined) {
    const refused = wanted.find((stream) => !principal.can('streams:read', stream));
    if (refused !== undefined)
      throw new ForbiddenError(`Not authorized to access stream ${refused}`, {
        needs: `streams:read:${refused}`,
      });
    return ordered(wanted);
  }
  if (principal.can('streams:read')) return undefined;
  const readable = allStreams.filter(
    (stream) => (includesFailures || stream !== FAILURE_STREAM_ID) && principal.can('streams:read', stream),
  );
  if (readable.length === 0 && !principal.can('searches:relative'))
    throw new ForbiddenError('Not authorized', { needs: 'searches:relative' });
  return ordered(readable);
}

/**
 * The same while a tail is open: leaves out streams that the caller may no longer read. Throws `ForbiddenError` when none
 * of the requested streams is left.
 */
export function streamsStillFollowed(
  principal: Pick<Principal, 'can'>,
  wanted: readonly string[] | undefined,
  allStreams: readonly string[],
  includesFailures: boolean,
): readonly string[] | undefined {
  if (wanted === undefined) return followedStreams(principal, wanted, allStreams, includesFailures);
  const left = wanted.filter((stream) => principal.can('streams:read', stream));
  if (left.length === 0) {
    throw new ForbiddenError('No longer authorized to access these streams', {
      needs: `streams:read:${wanted.join(',')}`,
    });
  }
  return ordered(left);
}

/** The streams of a message that the caller may know of; undefined for all. */
export function visibleStreams(
  principal: Pick<Principal, 'can'>,
  allStreams: readonly string[],
): readonly string[] | undefined {
  if (principal.can('streams:read')) return undefined;
  return ordered(allStreams.filter((stream) => principal.can('streams:read', stream)));
}

function ordered(streams: readonly string[]): string[] {
  return [...new Set(streams)].sort();
}
