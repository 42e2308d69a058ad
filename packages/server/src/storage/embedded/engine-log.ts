import fs from 'node:fs';

/** The output of the engine process: one file and its predecessor, together at most twice the limit. */
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
 * Contract: writing never throws; a full disk loses lines of this log and nothing else. Writes are synchronous: the
 * engine writes little, and its last lines matter most.
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
    // A single chunk may exceed the limit; keep its end.
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
