import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '#telemetry/index.ts';
import { answerForError } from './error-answer.ts';

/**
 * Long work as server-sent events: any number of `progress` events and others that the work names, then one `result`,
 * or one `error` with the body that the error answer would have had. A failure before the first event rejects instead,
 * so that the answer has the right status.
 */
export async function progressEvents(
  logger: Logger,
  work: (
    report: (progress: unknown) => void,
    /** For what must not be lost, unlike progress: the work bounds how much there is of it. */
    send: (event: string, data: unknown) => void,
  ) => Promise<unknown>,
): Promise<Readable> {
  let waiting: { readonly event: string; readonly text: string }[] = [];
  let wake = Promise.withResolvers<void>();
  const push = (event: string, data: unknown) => {
    waiting.push({ event, text: `event: ${event}\ndata: ${JSON.stringify(data)}\n\n` });
    wake.resolve();
  };
  let isDone = false;
  const result = work((progress) => {
    // A slow reader needs only the newest progress.
    waiting = waiting.filter(({ event }) => event !== 'progress');
    push('progress', progress);
  }, push);
  const finished = result
    .then(
      (value) => push('result', value),
      (error: unknown) => push('error', answerForError(error, logger).body),
    )
    .finally(() => {
      isDone = true;
    });
  await Promise.race([wake.promise, result]);
  // Continues after the first progress or at the end; a failure has thrown.

  async function* events(): AsyncGenerator<string, void, undefined> {
    for (;;) {
      if (waiting.length === 0) {
        if (isDone) return;
        await Promise.race([wake.promise, finished]);
        await nextTurn();
      }
      wake = Promise.withResolvers();
      for (const { text } of waiting.splice(0)) yield text;
    }
  }
  return Readable.from(events(), { objectMode: false });
}
