import type { FrameBatch, JournalRefusal, JournalWriter } from '#core/index.ts';

export type AppendOutcome = 'durable' | JournalRefusal;

/** Appends for senders that wait for an answer. */
export interface AcknowledgedAppend {
  /**
   * Calls back once, with `durable` when every frame is on disk. Any other outcome means that none is kept,
   * so the sender may send them again. A journal that is backlogged gets a moment to catch up. The frames
   * must not change until then.
   */
  append(frames: FrameBatch, done: (outcome: AppendOutcome) => void): void;
  /** As `JournalWriter.append`, but false also while others wait for room: nobody overtakes them. */
  appendNow(frames: FrameBatch, settled: (durable: boolean) => void): boolean;
  /** Answers all that wait for room, and refuses to let others wait. */
  close(): void;
}

interface Waiting {
  readonly frames: FrameBatch;
  readonly done: (outcome: AppendOutcome) => void;
  readonly timer: NodeJS.Timeout;
}

const MAX_WAIT_MS = 2000;
const MAX_WAITING = 1000;

export function createAcknowledgedAppend(journal: JournalWriter): AcknowledgedAppend {
  const waiting = new Set<Waiting>();
  let closed = false;
  const stopListening = journal.onRoom(room);

  function tryAppend(frames: FrameBatch, done: (outcome: AppendOutcome) => void): boolean {
    return journal.append(frames, (durable) => done(durable ? 'durable' : 'failing'));
  }

  /** First come, first served. Otherwise large batches would never get their turn. */
  function room(): void {
    for (const each of waiting) {
      if (!tryAppend(each.frames, each.done)) return;
      waiting.delete(each);
      clearTimeout(each.timer);
    }
  }

  return {
    append(frames, done) {
      if (waiting.size === 0 && tryAppend(frames, done)) return;
      const refusal = journal.refusal ?? 'backlogged';
      if (refusal !== 'backlogged' || closed || waiting.size >= MAX_WAITING) {
        done(refusal);
        return;
      }
      const each: Waiting = {
        frames,
        done,
        timer: setTimeout(() => {
          waiting.delete(each);
          done(journal.refusal ?? 'backlogged');
        }, MAX_WAIT_MS),
      };
      waiting.add(each);
    },
    appendNow: (frames, settled) => waiting.size === 0 && !closed && journal.append(frames, settled),
    close() {
      closed = true;
      stopListening();
      for (const { done, timer } of waiting) {
        clearTimeout(timer);
        done('closed');
      }
      waiting.clear();
    },
  };
}
