export type {
  Codec,
  DecodeResult,
  Decoder,
  DecoderContext,
  Encoder,
  FrameColumns,
} from './format/codec.ts';
export { createDecoder, DecodeFailure, decodeFrameByFrame, defineCodec } from './format/codec.ts';
export { gelfCodec } from './format/gelf/codec.ts';
export type {
  ChunkRefusal,
  DecompressionAllowance,
  DecompressionFailure,
  DelimitedFramer,
  DelimitedFramerConfig,
  Delimiter,
  FrameSink,
  Frames,
  FramingResult,
  GelfChunkAssembler,
  PayloadKind,
} from './framing/index.ts';
export {
  createDecompressionAllowance,
  createDelimitedFramer,
  createGelfChunkAssembler,
  decompressPayload,
  isGelfChunk,
  payloadKind,
} from './framing/index.ts';
export { createMessageEncoder } from './message-encoder.ts';
export type { ParseMessage } from './message-parser.ts';
export { createMessageParser } from './message-parser.ts';
export { CODECS } from './registry.ts';
