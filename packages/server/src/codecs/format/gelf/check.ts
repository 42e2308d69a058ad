import { createFieldLayouts, type MessageOrigin } from '#core/index.ts';
import { createGelfDecoder, DEFAULT_MAX_KEYS } from './decode.ts';
import { GelfFailure } from './failure.ts';
import { KeyTree } from './keys.ts';
import { SingleFrames } from './scan/single-frames.ts';

/** Why a frame is not a message; undefined when it is one. */
export type GelfCheck = (frame: Buffer, origin: MessageOrigin, receivedAt: number) => GelfFailure | undefined;

/** For inputs that answer at once: what they accept now, the decoder must be able to read after the journal. */
export function createGelfCheck(): GelfCheck {
  const layouts = createFieldLayouts();
  const decoder = createGelfDecoder({ layouts });
  const frames = new SingleFrames(new KeyTree(layouts, { maxKeys: DEFAULT_MAX_KEYS }));
  return (frame, origin, receivedAt) => {
    if (frames.isMessage(frame)) return undefined;
    const decoded = decoder.decode(frame, origin, receivedAt);
    return decoded instanceof GelfFailure ? decoded : undefined;
  };
}
