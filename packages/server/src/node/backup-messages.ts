/** What `backup` and `restore` say to the person who runs them. */
import type { BackupProgress } from '#storage/index.ts';

const SAY_EVERY_MS = 2000;
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function shownBytes(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** unit;
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${UNITS[unit]}`;
}

export function sayProgress(say: (line: string) => void, what: string): (progress: BackupProgress) => void {
  let saidAt = performance.now();
  return ({ doneBytes, bytes }) => {
    const now = performance.now();
    if (bytes === 0 || now - saidAt < SAY_EVERY_MS) return;
    saidAt = now;
    say(`${what}: ${Math.floor((100 * doneBytes) / bytes)} % of ${shownBytes(bytes)}`);
  };
}
