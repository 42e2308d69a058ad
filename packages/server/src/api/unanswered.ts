import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Requests whose answer has not begun. One that is streamed, such as a live tail, may never end. */
export interface Unanswered {
  /** Resolves when there is none, or after this time. */
  none(timeoutMs: number): Promise<void>;
}

export function countUnanswered(fastify: FastifyInstance): Unanswered {
  const requests = new Set<object>();
  const waiting = new Set<() => void>();

  function answered(request: object): void {
    requests.delete(request);
    if (requests.size === 0) for (const tell of waiting) tell();
  }

  fastify.addHook('onRequest', (request, reply, done) => {
    requests.add(request);
    // Also if the client leaves before it has its answer.
    reply.raw.once('close', () => answered(request));
    done();
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    answered(request);
    done(null, payload);
  });

  return {
    async none(timeoutMs) {
      if (requests.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const waited = new AbortController();
      const timeUp = delay(timeoutMs, undefined, { signal: waited.signal }).catch(() => {});
      await Promise.race([promise, timeUp]);
      waited.abort();
      waiting.delete(resolve);
    },
  };
}
