import type { IncomingMessage } from 'node:http';
import { freeBuffer } from '../net/free-buffer.ts';
import type { MemoryShare, SharedMemory } from '../net/shared-memory.ts';

export type BodyFault =
  | 'too-large'
  | 'incomplete'
  | 'memory-limit'
  | 'corrupt'
  | 'senders-decompression-limit'
  | 'overall-decompression-limit';
export type BodyEncoding = 'identity' | 'gzip' | 'deflate' | 'detect';

/**
 * The encoding a request names; undefined when it is unknown. For a list of them the bytes decide: graypy sends
 * `gzip,deflate` and means that its body is one of the two.
 */
export function bodyEncoding(header: string | undefined): BodyEncoding | undefined {
  const names = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  names.delete('');
  names.delete('identity');
  const known = [...names].map((name) => ENCODINGS.get(name));
  if (known.length === 0) return 'identity';
  if (known.includes(undefined)) return undefined;
  return known.length === 1 ? known[0] : 'detect';
}

const ENCODINGS: ReadonlyMap<string, BodyEncoding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Counts the bytes until the caller closes it. It is not evicted any more. */
  readonly share: MemoryShare;
}

/**
 * Reads a body of at most `maxBytes`. The callback is called once: with `memory-limit` when others need the memory more
 * (see `SharedMemory`). After a fault nothing is held.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  memory: SharedMemory,
  address: string,
  done: (body: ReceivedBody | BodyFault) => void,
): void {
  const share = memory.open(address, () => fail('memory-limit'));
  const chunks = new BodyChunks();
  let finished = false;

  function fail(fault: BodyFault): void {
    if (finished) return;
    finished = true;
    chunks.clear();
    share.close();
    done(fault);
  }

  request.on('data', (chunk: Buffer) => {
    if (finished) return;
    if (chunks.bytes + chunk.length > maxBytes) return fail('too-large');
    chunks.add(chunk);
    share.resize(chunks.bytes);
  });
  request.on('end', () => {
    if (finished) return;
    finished = true;
    share.pin();
    done({ bytes: chunks.join(), share });
  });
  request.on('error', () => fail('incomplete'));
  request.on('close', () => fail('incomplete'));
}

const SMALL_CHUNK_BYTES = 4096;
const COLLECTED_BYTES = 16 * 1024;

/** The chunks of a body. Small ones are collected: a body that comes byte by byte must not cost an object for each. */
class BodyChunks {
  bytes = 0;
  #chunks: Buffer[] = [];
  #collected: Buffer | undefined;
  #collectedBytes = 0;

  add(chunk: Buffer): void {
    const isFirst = this.bytes === 0;
    this.bytes += chunk.length;
    // Most bodies are one chunk.
    if (isFirst || chunk.length > SMALL_CHUNK_BYTES) {
      this.#endCollection();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#collectedBytes + chunk.length > COLLECTED_BYTES) this.#endCollection();
    this.#collected ??= Buffer.allocUnsafeSlow(COLLECTED_BYTES);
    chunk.copy(this.#collected, this.#collectedBytes);
    this.#collectedBytes += chunk.length;
  }

  /** The whole body; the chunks are gone. */
  join(): Buffer {
    this.#endCollection();
    const [first] = this.#chunks;
    if (this.#chunks.length === 1 && first !== undefined) return first;
    const whole = Buffer.concat(this.#chunks, this.bytes);
    for (const chunk of this.#chunks) freeBuffer(chunk);
    return whole;
  }

  clear(): void {
    this.#chunks = [];
    this.#collected = undefined;
  }

  #endCollection(): void {
    if (this.#collected === undefined) return;
    const used = this.#collected.subarray(0, this.#collectedBytes);
    this.#chunks.push(this.#collectedBytes > SMALL_CHUNK_BYTES ? used : Buffer.from(used));
    this.#collected = undefined;
    this.#collectedBytes = 0;
  }
}
