import { DecodeFailure, type DecodeResult } from '#codecs/index.ts';
import { Message } from '#core/index.ts';

/**
 * What a codec made of a frame, for the steps after it: they rely on what the types promise, and a plugin in plain
 * JavaScript may return anything. What they failed on would be read from the journal again and again.
 *
 * Throws a `TypeError` for the author of the codec.
 */
export function checkedResult(result: unknown, failureReasons: readonly string[] = []): DecodeResult {
  if (result instanceof DecodeFailure) return declaredFailure(result, failureReasons);
  if (!(result instanceof Message)) {
    const shown = result instanceof Promise ? 'a promise' : typeof result;
    throw new TypeError(`decode returned neither a Message nor a DecodeFailure, but ${shown}`);
  }
  const wrong = mistakeIn(result);
  if (wrong !== undefined) throw new TypeError(`decode returned a Message whose ${wrong}`);
  return result;
}

/** Asked for every message, so it is written out. */
function mistakeIn(decoded: Message): string | undefined {
  const { fullMessage } = decoded;
  if (typeof decoded.message !== 'string') return 'message is not a text';
  if (typeof decoded.source !== 'string') return 'source is not a text';
  if (fullMessage !== undefined && typeof fullMessage !== 'string')
    return 'fullMessage is neither a text nor undefined';
  if (!Number.isFinite(decoded.timestamp)) return 'timestamp is not a number';
  if (!Number.isFinite(decoded.receivedAt)) return 'receivedAt is not a number';
  if (!Number.isFinite(decoded.level)) return 'level is not a number';
  if (typeof decoded.origin?.inputId !== 'string') return 'origin is not the one that decode was given';
  if (typeof decoded.layout?.indexOf !== 'function') return 'layout is not one of the context';
  return Array.isArray(decoded.values) ? undefined : 'values are not an array';
}

/** Only reasons that the codec names are counted; another one is told with the failure. */
function declaredFailure(failure: DecodeFailure, failureReasons: readonly string[]): DecodeFailure {
  const { reason, detail, stage, frame } = failure;
  const isKnown = failureReasons.includes(reason);
  if (isKnown && (frame === undefined || Buffer.isBuffer(frame))) return failure;
  const note = isKnown ? '' : ` (${String(reason)}, which is not among the failureReasons of the codec)`;
  return new DecodeFailure('codec_error', `${String(detail)}${note}`, {
    ...(stage !== undefined && { stage: String(stage) }),
    ...(Buffer.isBuffer(frame) && { frame }),
  });
}
