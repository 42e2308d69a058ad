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
  const [wrong] = Object.entries(expectations).find(([, holds]) => !holds(result)) ?? [];
  if (wrong !== undefined) throw new TypeError(`decode returned a Message whose ${wrong}`);
  return result;
}

const isNumber = (value: unknown): boolean => Number.isFinite(value);

const expectations: Readonly<Record<string, (message: Message) => boolean>> = {
  'message is not a text': ({ message }) => typeof message === 'string',
  'source is not a text': ({ source }) => typeof source === 'string',
  'fullMessage is neither a text nor undefined': ({ fullMessage }) =>
    fullMessage === undefined || typeof fullMessage === 'string',
  'timestamp is not a number': ({ timestamp }) => isNumber(timestamp),
  'receivedAt is not a number': ({ receivedAt }) => isNumber(receivedAt),
  'level is not a number': ({ level }) => isNumber(level),
  'origin is not the one that decode was given': ({ origin }) => typeof origin?.inputId === 'string',
  'layout is not one of the context': ({ layout }) => typeof layout?.indexOf === 'function',
  'values are not an array': ({ values }) => Array.isArray(values),
};

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
