import { FAILURE_STREAM_ID, ForbiddenError, type Principal } from '#core/index.ts';

/**
 * The streams whose messages somebody sees who asks for `wanted` (undefined: for everything), in ascending order.
 * Undefined: all of them. Processing failures are left out unless they are asked for. Throws `ForbiddenError` for a
 * stream that may not be read, and for those who may neither search nor read any stream.
 */
export function followedStreams(
  principal: Pick<Principal, 'can'>,
  wanted: readonly string[] | undefined,
  allStreams: readonly string[],
  includesFailures: boolean,
): readonly string[] | undefined {
  if (wanted !== undefined) {
    const refused = wanted.find((stream) => !principal.can('streams:read', stream));
    if (refused !== undefined) throw new ForbiddenError(`Not authorized to access stream ${refused}`);
    return ordered(wanted);
  }
  if (principal.can('streams:read')) return undefined;
  const readable = allStreams.filter(
    (stream) => (includesFailures || stream !== FAILURE_STREAM_ID) && principal.can('streams:read', stream),
  );
  if (readable.length === 0 && !principal.can('searches:relative'))
    throw new ForbiddenError('Not authorized');
  return ordered(readable);
}

/**
 * The same while a tail runs: streams that may not be read any more are left out. Throws `ForbiddenError` when nothing
 * is left of what was asked for.
 */
export function streamsStillFollowed(
  principal: Pick<Principal, 'can'>,
  wanted: readonly string[] | undefined,
  allStreams: readonly string[],
  includesFailures: boolean,
): readonly string[] | undefined {
  if (wanted === undefined) return followedStreams(principal, wanted, allStreams, includesFailures);
  const left = wanted.filter((stream) => principal.can('streams:read', stream));
  if (left.length === 0) throw new ForbiddenError('Not authorized to access these streams any more');
  return ordered(left);
}

function ordered(streams: readonly string[]): string[] {
  return [...new Set(streams)].sort();
}
