import { createComponentRegistry } from '#core/index.ts';
import type { Codec } from './format/codec.ts';
import { gelfCodec } from './format/gelf/codec.ts';

/** Every codec there is. A new one is its folder and a line here. */
export const CODECS = createComponentRegistry<Codec>('codec', [gelfCodec]);
