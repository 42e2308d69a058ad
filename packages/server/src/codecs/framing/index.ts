export type { DecompressionFailure, PayloadKind } from './compression.ts';
export { decompressPayload, payloadKind } from './compression.ts';
export type { DecompressionAllowance } from './decompression-allowance.ts';
export { createDecompressionAllowance } from './decompression-allowance.ts';
export type { DelimitedFramer, DelimitedFramerConfig, Delimiter, FramingResult } from './delimited.ts';
export { createDelimitedFramer } from './delimited.ts';
export type { FrameSink, Frames } from './frames.ts';
export type { ChunkRefusal, GelfChunkAssembler } from './gelf-chunks.ts';
export { createGelfChunkAssembler, isGelfChunk } from './gelf-chunks.ts';
