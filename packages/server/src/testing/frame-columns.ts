import type { FrameColumns } from '#codecs/index.ts';

export const FRAMES_RECEIVED_AT = Date.UTC(2026, 5, 1, 12);
export const FRAMES_SOURCE = { inputId: 'input-1', remoteAddress: '192.0.2.7', remotePort: 4711 };
/** Who reads beyond a frame finds what could belong to it. */
const BETWEEN = Buffer.from('}"},"\\');

/** As the journal hands them out: in one buffer, with other bytes between them. Frame `i` is received `first + i` ms later. */
export function frameColumns(payloads: readonly (string | Buffer)[], first = 0): FrameColumns {
  const frameStarts = new Uint32Array(payloads.length);
  const frameEnds = new Uint32Array(payloads.length);
  const parts: Buffer[] = [];
  let at = 0;
  for (const [index, payload] of payloads.entries()) {
    const bytes = Buffer.from(payload as Buffer);
    parts.push(BETWEEN, bytes);
    frameStarts[index] = at + BETWEEN.length;
    at += BETWEEN.length + bytes.length;
    frameEnds[index] = at;
  }
  return {
    bytes: Buffer.concat(parts),
    frameStarts,
    frameEnds,
    receivedAt: Float64Array.from(payloads, (_, index) => FRAMES_RECEIVED_AT + first + index),
    sources: payloads.map(() => FRAMES_SOURCE),
  };
}
