import type { Encoder } from '#codecs/index.ts';
import type { Message } from '#core/index.ts';
import type { Encoding } from './output.ts';

/** Encodes messages for the outputs of a worker. Outputs of a kind share the bytes of a message. */
export interface SharedEncodings {
  /** Call `release` when the output no longer needs it. */
  use(encoding: Encoding): SharedEncoder;
}

export interface SharedEncoder {
  encode(message: Message): Buffer;
  release(): void;
}

interface Shared {
  readonly encoder: Encoder;
  /** Only filled while there are several users. Entries go with their messages. */
  encoded: WeakMap<Message, Buffer>;
  users: number;
}

export function createSharedEncodings(): SharedEncodings {
  const byKey = new Map<string, Shared>();
  return {
    use({ key, create }) {
      const shared = byKey.getOrInsertComputed(key, () => ({
        encoder: create(),
        encoded: new WeakMap(),
        users: 0,
      }));
      shared.users += 1;
      let released = false;
      return {
        encode(message) {
          if (shared.users === 1) return shared.encoder.encode(message);
          const known = shared.encoded.get(message);
          if (known !== undefined) return known;
          const bytes = shared.encoder.encode(message);
          shared.encoded.set(message, bytes);
          return bytes;
        },
        release() {
          if (released) return;
          released = true;
          shared.users -= 1;
          if (shared.users === 0) byKey.delete(key);
        },
      };
    },
  };
}
