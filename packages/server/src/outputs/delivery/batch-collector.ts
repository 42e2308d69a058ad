import type { BatchLimits } from '../output.ts';
import type { OutputQueue, QueueBatch } from '../queue/output-queue.ts';
import type { QueuedMessage } from '../queue/queue-record.ts';

/** Messages that are sent together. */
export interface OutgoingBatch {
  readonly messages: readonly QueuedMessage[];
  readonly bytes: number;
  readonly oldestReceivedAt: number;
  readonly endOffset: number;
  /** Those that the destination has refused so far, with the reasons. */
  readonly refused: Map<QueuedMessage, string>;
  release(): void;
}

/**
 * Takes messages from the queue until there are enough, or until the first of them has waited long enough.
 * Undefined when `signal` was aborted first.
 */
export async function collectBatch(
  queue: OutputQueue,
  limits: BatchLimits,
  signal: AbortSignal,
): Promise<OutgoingBatch | undefined> {
  const parts: QueueBatch[] = [];
  let count = 0;
  let bytes = 0;
  let deadline: Promise<unknown> | undefined;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const aborted = whenAborted(signal);
  try {
    for (;;) {
      const part = signal.aborted ? undefined : queue.read(limits.messages - count);
      if (part !== undefined) {
        // While it waits for others it must not hold the memory in which it was read: that is far larger.
        parts.push(limits.lingerMs > 0 ? detached(part) : part);
        count += part.messages.length;
        bytes += part.bytes;
        if (count >= limits.messages || bytes >= limits.bytes) break;
        continue;
      }
      if (signal.aborted || (count > 0 && (isLate || limits.lingerMs === 0))) break;
      if (count > 0 && deadline === undefined) {
        deadline = new Promise((resolve) => {
          timer = setTimeout(() => {
            isLate = true;
            resolve(undefined);
          }, limits.lingerMs);
        });
      }
      await Promise.race([queue.whenReadable(), aborted.promise, ...(deadline ? [deadline] : [])]);
    }
  } finally {
    clearTimeout(timer);
    aborted.forget();
  }
  if (count > 0) return join(parts, bytes);
  // Nothing but marks.
  for (const part of parts) part.release();
  return undefined;
}

function detached(part: QueueBatch): QueueBatch {
  const messages = part.messages.map((message) => message.copy());
  part.release();
  return { ...part, messages, release() {} };
}

function join(parts: readonly QueueBatch[], bytes: number): OutgoingBatch {
  const [only] = parts;
  return {
    messages:
      only !== undefined && parts.length === 1 ? only.messages : parts.flatMap(({ messages }) => messages),
    bytes,
    oldestReceivedAt: parts[0]?.oldestReceivedAt ?? 0,
    endOffset: parts.at(-1)?.endOffset ?? 0,
    refused: new Map(),
    release() {
      for (const part of parts) part.release();
    },
  };
}

function whenAborted(signal: AbortSignal): { readonly promise: Promise<void>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = () => resolve();
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', listener, { once: true });
  return { promise, forget: () => signal.removeEventListener('abort', listener) };
}
