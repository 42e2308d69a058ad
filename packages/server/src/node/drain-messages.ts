/** What `drain` says to the person who runs it. */
import type { Drained, DrainProgress } from './drain.ts';

const SAY_EVERY_MS = 2000;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Says what is left, when that has changed, and not too often. */
export function createDrainProgress(say: (line: string) => void): (left: DrainProgress) => void {
  let last = '';
  let saidAt = Number.NEGATIVE_INFINITY;
  return ({ records, queues }) => {
    const now = performance.now();
    const waiting = queues.map(
      ({ title, queued_messages: messages, state, last_error: error }) =>
        `${counted(messages, 'message')} for the output "${title}"${state === 'FAILED' && error !== null ? ` (${error.message})` : ''}`,
    );
    const line = `Left: ${[counted(records, 'record'), ...waiting].join(', ')}`;
    if (line === last || now - saidAt < SAY_EVERY_MS) return;
    last = line;
    saidAt = now;
    say(line);
  };
}

export function drainedMessage({ records, kept }: Drained, dataDir: string): string[] {
  const stored = `${counted(records, 'record')} stored. The journal of ${dataDir} is empty.`;
  if (kept.length === 0) return [stored, 'The queues of its outputs are empty too: nothing is left there.'];
  return [
    stored,
    ...kept.map(
      ({ title, queued_messages: messages, state }) =>
        `${counted(messages, 'message')} for the output "${title}" stay in the data directory: it is ${state === 'PAUSED' ? 'paused. Resume it' : 'not configured correctly. Change it'}, then drain again.`,
    ),
  ];
}
