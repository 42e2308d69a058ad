/**
 * Appends lines to `<name>.ndjson` in a directory and starts a new file when that one is full or its hour or day is over.
 * Complete files are called `<name>-<time>.ndjson`, then `.ndjson.gz`. What is written is on disk when `append` resolves.
 * After a failure the part of the batch that was written is cut off. After a crash only an unfinished last line is: the
 * lines before it stay, and the batch is appended again, so lines can be there twice.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Clock, createDirectory, syncDirectory } from '#core/index.ts';

export interface RotatingFileSettings {
  readonly directory: string;
  readonly name: string;
  readonly maxBytes: number;
  /** Undefined: only by size. */
  readonly periodMs: number | undefined;
  readonly gzip: boolean;
  /** 0: all. */
  readonly keepFiles: number;
}

export interface RotatingFileDeps {
  readonly clock: Clock;
  /** Compressing or deleting complete files failed. It is tried again after the next rotation. */
  readonly housekeepingFailed: (error: unknown) => void;
}

interface OpenFile {
  readonly handle: FileHandle;
  size: number;
  writtenAt: number;
}

const LINE_FEED = 10;
const TAIL_BYTES = 64 * 1024;

export class RotatingFile {
  readonly #deps: RotatingFileDeps;
  readonly #settings: RotatingFileSettings;
  readonly #path: string;
  #file: OpenFile | undefined;
  #housekeeping: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(deps: RotatingFileDeps, settings: RotatingFileSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#path = path.join(settings.directory, `${settings.name}.ndjson`);
  }

  async open(): Promise<void> {
    await this.#closeFile();
    await createDirectory(this.#settings.directory);
    const handle = await open(this.#path, 'a+', 0o640);
    try {
      // The file, and the new name of the one before it.
      await syncDirectory(this.#settings.directory);
      const { size, mtimeMs } = await handle.stat();
      const complete = await endOfLastLine(handle, size);
      if (complete < size) await handle.truncate(complete);
      this.#file = { handle, size: complete, writtenAt: mtimeMs };
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#keepHouse();
  }

  async append(lines: Buffer): Promise<void> {
    if (this.#file === undefined || this.#isOver(this.#file)) await this.#rotate();
    const file = this.#file;
    if (file === undefined) throw new Error(`${this.#path} is closed`);
    try {
      for (let at = 0; at < lines.length; ) at += (await file.handle.write(lines, at)).bytesWritten;
      await file.handle.datasync();
    } catch (error) {
      // If this fails, too, the file is cut when it is opened again.
      await file.handle.truncate(file.size).catch(() => {});
      throw error;
    }
    file.size += lines.length;
    file.writtenAt = this.#deps.clock.now();
  }

  /** Waits for housekeeping until `signal` is aborted. What is left of it is done when the file is opened next. */
  async close(signal: AbortSignal): Promise<void> {
    await this.#closeFile();
    const abort = () => this.#closing.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    await this.#housekeeping;
    signal.removeEventListener('abort', abort);
  }

  #isOver({ size, writtenAt }: OpenFile): boolean {
    const { maxBytes, periodMs } = this.#settings;
    if (size === 0) return false;
    if (size >= maxBytes) return true;
    if (periodMs === undefined) return false;
    return Math.floor(writtenAt / periodMs) !== Math.floor(this.#deps.clock.now() / periodMs);
  }

  async #rotate(): Promise<void> {
    if (this.#file !== undefined) {
      await this.#closeFile();
      await rename(this.#path, await this.#freeName());
    }
    await this.open();
  }

  async #freeName(): Promise<string> {
    const { directory, name } = this.#settings;
    const time = new Date(this.#deps.clock.now())
      .toISOString()
      .replaceAll(/[:-]|Z$/g, '')
      .replace('.', '-');
    const taken = new Set((await readdir(directory)).map((each) => each.replace(/\.gz$/, '')));
    for (let number = 0; ; number++) {
      const candidate = `${name}-${time}Z${number === 0 ? '' : `-${number}`}.ndjson`;
      if (!taken.has(candidate)) return path.join(directory, candidate);
    }
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.handle.close();
  }

  /** One after the other, beside the writing. */
  #keepHouse(): void {
    this.#housekeeping = this.#housekeeping
      .then(() => this.#tidy())
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#deps.housekeepingFailed(error);
      });
  }

  async #tidy(): Promise<void> {
    const { directory, gzip, keepFiles } = this.#settings;
    const complete = await this.#completeFiles();
    const old = keepFiles === 0 ? [] : complete.splice(0, Math.max(0, complete.length - keepFiles));
    for (const name of old) await rm(path.join(directory, name), { force: true });
    if (!gzip) return;
    for (const name of complete.filter((each) => !each.endsWith('.gz'))) {
      await compress(path.join(directory, name), this.#closing.signal);
    }
  }

  /** Oldest first. */
  async #completeFiles(): Promise<string[]> {
    const { directory, name } = this.#settings;
    const names = await readdir(directory);
    return names.filter((each) => each.startsWith(`${name}-`) && /\.ndjson(?:\.gz)?$/.test(each)).sort();
  }
}

/** After a crash the file is there uncompressed, and perhaps a part of it under another name. */
async function compress(file: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const part = `${file}.gz.part`;
  try {
    await pipeline(
      createReadStream(file),
      createGzip(),
      createWriteStream(part, { mode: 0o640, flush: true }),
      { signal },
    );
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await rename(part, `${file}.gz`);
  // The file may go only when its successor is on disk under its name.
  await syncDirectory(path.dirname(file));
  await rm(file);
}

/** The offset after the last line feed. */
async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  const tail = Buffer.alloc(TAIL_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - TAIL_BYTES);
    const { bytesRead } = await handle.read(tail, 0, end - start, start);
    const at = tail.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}
