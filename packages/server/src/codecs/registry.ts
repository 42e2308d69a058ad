import { type ComponentRegistry, createComponentRegistry } from '#core/index.ts';
import type { Codec } from './format/codec.ts';
import { gelfCodec } from './format/gelf/codec.ts';
import { outputFailureCodec } from './format/output-failure/codec.ts';

/** Every codec that a record of the journal may need. A new one is its folder and a line here. */
export const CODECS = createComponentRegistry<Codec>('codec', [gelfCodec, outputFailureCodec]);

/** The codecs of what senders send. */
export const SENDER_CODECS: ComponentRegistry<Codec> = {
  get types() {
    return CODECS.types.filter((codec) => codec !== outputFailureCodec);
  },
  find: (name) => SENDER_CODECS.types.find((codec) => codec === CODECS.find(name)),
};
