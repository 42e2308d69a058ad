export type {
  Codec,
  CodecDefinition,
  DecodeResult,
  Decoder,
  DecoderContext,
  EncodedFrames,
  Encoder,
  FrameColumns,
  FramePassing,
  ViewedBytes,
} from './format/codec.ts';
export { createDecoder, DecodeFailure, decodeFrameByFrame, defineCodec } from './format/codec.ts';
export { createGelfCheck } from './format/gelf/check.ts';
export { gelfCodec } from './format/gelf/codec.ts';
export type { GelfEncodeOptions } from './format/gelf/encode.ts';
export { createGelfEncoder } from './format/gelf/encode.ts';
export { resolveLevel } from './format/gelf/standard-fields.ts';
export type { JsonEncodeOptions } from './format/json/encode.ts';
export { createJsonEncoder } from './format/json/encode.ts';
export { encodeOutputFailure, isOutputFailure, OUTPUT_FAILURE_CODEC } from './format/output-failure/codec.ts';
export type { SyslogEncodeOptions } from './format/syslog/encode.ts';
export { createSyslogEncoder, SYSLOG_FACILITIES } from './format/syslog/encode.ts';
export { shortenSyslog } from './format/syslog/shorten.ts';
export type {
  ChunkLoss,
  ChunkRefusal,
  Compression,
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
  StreamFramerConfig,
} from './framing/index.ts';
export {
  compressPayload,
  createDecompressionAllowance,
  createDelimitedFramer,
  createGelfChunkAssembler,
  createStreamFramer,
  decompressPayload,
  isGelfChunk,
  payloadKind,
  splitIntoChunks,
  splitIntoDatagrams,
  withoutPadding,
} from './framing/index.ts';
export { createMessageEncoder } from './message-encoder.ts';
export type { ParseMessage } from './message-parser.ts';
export { createMessageParser } from './message-parser.ts';
export { CODECS } from './registry.ts';
