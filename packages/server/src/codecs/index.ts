export type { GelfDecoder, GelfDecoderConfig, GelfFrames } from './format/gelf/decode.ts';
export { createGelfDecoder } from './format/gelf/decode.ts';
export type { GelfEncodeOptions, GelfEncoder } from './format/gelf/encode.ts';
export { createGelfEncoder } from './format/gelf/encode.ts';
export type { GelfFailureReason } from './format/gelf/failure.ts';
export { GelfFailure } from './format/gelf/failure.ts';
export { isFieldName, isProtectedFieldName } from './format/gelf/keys.ts';
export type { GelfNote, GelfNoteCounters } from './format/gelf/notes.ts';
export { GELF_NOTE_BIT, GELF_NOTES, gelfNoteNames } from './format/gelf/notes.ts';
export { DEFAULT_LEVEL } from './format/gelf/standard-fields.ts';
export type { DecompressionFailure, PayloadKind } from './framing/compression.ts';
export { DEFAULT_MAX_DECOMPRESSED_BYTES, decompressPayload, payloadKind } from './framing/compression.ts';
export type {
  DelimitedFramer,
  DelimitedFramerConfig,
  Delimiter,
  FramingResult,
} from './framing/delimited.ts';
export { createDelimitedFramer, DEFAULT_MAX_FRAME_BYTES } from './framing/delimited.ts';
export type { FrameSink, Frames } from './framing/frames.ts';
export type { Compression } from './framing/gelf-chunk-split.ts';
export {
  compressPayload,
  DEFAULT_DATAGRAM_BYTES,
  splitIntoChunks,
  splitIntoDatagrams,
  WIDE_AREA_DATAGRAM_BYTES,
} from './framing/gelf-chunk-split.ts';
export type {
  ChunkRefusal,
  GelfChunkAssembler,
  GelfChunkConfig,
  GelfChunkCounters,
} from './framing/gelf-chunks.ts';
export { CHUNK_WINDOW_MS, createGelfChunkAssembler, isGelfChunk, MAX_CHUNKS } from './framing/gelf-chunks.ts';
export type { ParseMessage } from './message-parser.ts';
export { createMessageParser } from './message-parser.ts';
