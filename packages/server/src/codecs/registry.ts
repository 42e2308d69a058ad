import { createComponentRegistry } from '#core/index.ts';
import type { Codec } from './format/codec.ts';
import { gelfCodec } from './format/gelf/codec.ts';
import { outputFailureCodec } from './format/output-failure/codec.ts';

/** The codecs of what senders send. A new one is its folder and a line here. */
export const SENDER_CODECS = createComponentRegistry<Codec>('codec', [gelfCodec]);

/** Every codec that a record of the journal may need. */
export const CODECS = createComponentRegistry<Codec>('codec', [...SENDER_CODECS.types, outputFailureCodec]);
