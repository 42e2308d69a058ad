import { type Codec, DecodeFailure, type Decoder, decodeFrameByFrame, type Encoder } from '#codecs/index.ts';
import { errorMessage, InvalidConfiguration } from '#core/index.ts';
import type { PluginGuard } from '../guard.ts';
import { containComponent } from './component.ts';
import { checkedResult } from './decode-result.ts';

/** A codec must not stop its worker: every frame it fails on, or gets while it is switched off, becomes a failure. */
export function containCodec(codec: Codec, guard: PluginGuard): Codec {
  const { createEncoder } = codec;
  const contained = containComponent(codec, guard, (decoder) => containDecoder(codec, decoder, guard), {
    // Decoders live as long as their worker: one that was made while the plugin was off works when it is on again.
    createEvenWhenOff: true,
  });
  return {
    ...codec,
    ...contained,
    create(context, raw) {
      try {
        return contained.create(context, raw);
      } catch (error) {
        return new InvalidConfiguration([{ path: 'codec', message: errorMessage(error) }]);
      }
    },
    ...(createEncoder && {
      createEncoder: () =>
        containEncoder(
          guard.call(`the encoder of ${codec.id}`, () => createEncoder.call(codec)),
          codec.id,
          guard,
        ),
    }),
  };
}

function containDecoder(codec: Codec, decoder: Decoder, guard: PluginGuard): Decoder {
  const what = `decoding with ${codec.id}`;
  const checked = (result: unknown) => checkedResult(result, codec.failureReasons);
  const one = decodeFrameByFrame((frame, origin, receivedAt) => {
    try {
      return guard.call(what, () => checked(decoder.decode(frame, origin, receivedAt)));
    } catch (error) {
      return new DecodeFailure('codec_error', errorMessage(error));
    }
  });
  return {
    get noteCounters() {
      return decoder.noteCounters ?? {};
    },
    decode: one.decode,
    decodeBatch(frames, from, to, results) {
      const before = results.length;
      try {
        guard.call(what, () => decoder.decodeBatch(frames, from, to, results));
        for (let index = before; index < results.length; index++) results[index] = checked(results[index]);
        if (results.length - before === to - from) return;
      } catch {
        // Only the frames that are at fault become failures.
      }
      results.length = before;
      one.decodeBatch(frames, from, to, results);
    },
  };
}

function containEncoder(encoder: Encoder, id: string, guard: PluginGuard): Encoder {
  return { encode: (message) => guard.call(`encoding with ${id}`, () => encoder.encode(message)) };
}
