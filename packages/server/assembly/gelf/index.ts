/** Reads GELF frames and writes them as columns, without a JavaScript object or text for what nobody looks at. See ADR 29. */
export { forgetKeys, hasRoom } from './keys';
export { FRAMES, hashSeed, reserve } from './memory';
export { beginBatch, scan } from './scan';
export { fullMessageLengths, messageLengths, stage, texts, textsEnd, usedFields } from './stage';
