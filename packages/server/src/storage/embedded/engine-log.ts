import fs from 'node:fs';

/** Where the output of the engine process goes: one file and its predecessor, never more than twice the limit. */
export interface EngineLog {
  write(chunk: Uint8Array | string): void;
  /** The last lines written since the last `mark`, for error messages. */
  tail(): string;
  mark(): void;
  close(): void;
}

const DEFAULT_LIMIT_BYTES = 2 * 2 ** 20;
const TAIL_CHARACTERS = 4000;
const TAIL_LINES = 15;

/**
 * Contract: writing never throws; a disk that is full costs lines of this log and nothing else. Writes are
 * synchronous, since the engine says little and its last words matter most.
 */
export function openEngineLog(file: string, limitBytes = DEFAULT_LIMIT_BYTES): EngineLog {
  let size = 0;
  let descriptor: number | undefined;
  let recent = '';

  function open(): void {
    descriptor = fs.openSync(file, 'a', 0o600);
    size = fs.fstatSync(descriptor).size;
  }

  function close(): void {
    if (descriptor !== undefined) fs.closeSync(descriptor);
    descriptor = undefined;
  }

  function writeToFile(chunk: Buffer): void {
    if (descriptor === undefined) open();
    if (size > 0 && size + chunk.length > limitBytes) {
      close();
      fs.renameSync(file, `${file}.1`);
      open();
    }
    // One chunk beyond the limit would break the bound by itself; its end is the part worth keeping.
    const kept = chunk.subarray(Math.max(0, chunk.length - limitBytes));
    if (descriptor !== undefined) size += fs.writeSync(descriptor, kept);
  }

  return {
    write(chunk) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk);
      recent = (recent + bytes.toString('utf8')).slice(-TAIL_CHARACTERS);
      try {
        writeToFile(bytes);
      } catch {
        // See the contract above.
      }
    },
    tail: () => recent.trim().split('\n').slice(-TAIL_LINES).join('\n'),
    mark() {
      recent = '';
    },
    close,
  };
}
