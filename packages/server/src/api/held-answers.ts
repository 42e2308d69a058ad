import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerLease, AnswerMemory } from '#core/index.ts';

/** Smaller bodies fit into the buffers of the connection. */
const MIN_BYTES = 64 * 1024;

type Done = (error: Error | null, payload?: unknown) => void;
type OnSend = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done) => void;

export interface HeldAnswers {
  /** `onSend` hook before the body is compressed. Refuses it with `UnavailableError` when there is no room. */
  readonly hold: OnSend;
  /** `onSend` hook after the body was compressed: only that is held from now on. */
  readonly shrink: OnSend;
}

/**
 * Counts the bodies of answers until their clients have read them: one that reads nothing must not hold memory that
 * nobody counts. Nor may it hold it for ever: it is disconnected when it has read nothing for `stalledMs`. Streams are
 * not counted, because they wait for their client.
 */
export function createHeldAnswers(memory: AnswerMemory, stalledMs: number): HeldAnswers {
  const leases = new WeakMap<FastifyReply, AnswerLease>();

  return {
    hold(_request, reply, payload, done) {
      const bytes = bytesOf(payload);
      if (bytes < MIN_BYTES) return done(null, payload);
      const lease = memory.open();
      try {
        lease.add(bytes);
      } catch (error) {
        return done(error as Error);
      }
      leases.set(reply, lease);
      const response = reply.raw;
      response.once('close', lease.release);
      // Node restarts this timer while the client reads.
      response.setTimeout(stalledMs, () => response.destroy());
      done(null, payload);
    },
    shrink(_request, reply, payload, done) {
      const lease = leases.get(reply);
      // The client may have left during the compression.
      if (lease !== undefined && !reply.raw.closed) {
        lease.release();
        lease.add(bytesOf(payload));
      }
      done(null, payload);
    },
  };
}

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : 0;
}
