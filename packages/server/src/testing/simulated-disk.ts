import path from 'node:path';
import type { JournalFile, JournalFileSystem } from '#journal/index.ts';

/**
 * A disk in memory that can lose power. Harsher than most real ones: at a power cut every 512-byte sector
 * that was written but not synced survives or not on its own, and so does every name in a directory that
 * was not synced. What was mounted before the cut is dead: its operations never finish, as if its process had
 * died with the machine.
 */
export class SimulatedDisk {
  /** Bytes all files together may have; a write beyond it is cut short and fails with ENOSPC. */
  capacity = Number.POSITIVE_INFINITY;
  /** Cuts the power by itself when this many more operations were started. */
  cutAfterOperations = Number.POSITIVE_INFINITY;
  /** Called for each operation before it does anything; what it throws is what the operation fails with. */
  fault: (operation: DiskOperation, file: string) => void = () => undefined;
  onPowerCut: () => void = () => undefined;
  /** Where the randomness of a power cut comes from: a number in [0, 1). */
  random: () => number = Math.random;
  names = new Map<string, SimulatedContent>();
  durableNames = new Map<string, SimulatedContent>();
  #generation = 0;

  mount(): JournalFileSystem {
    return new MountedDisk(this, this.#generation);
  }

  /** Everything not synced survives by chance; old handles are dead. */
  cutPower(): void {
    this.#generation += 1;
    this.cutAfterOperations = Number.POSITIVE_INFINITY;
    const names = new Map<string, SimulatedContent>();
    for (const name of new Set([...this.names.keys(), ...this.durableNames.keys()])) {
      const source = this.random() < 0.5 ? this.names : this.durableNames;
      const content = source.get(name);
      if (content !== undefined) names.set(name, content);
    }
    for (const content of new Set(names.values())) content.cutPower(this.random);
    this.names = names;
    this.durableNames = new Map(names);
    this.onPowerCut();
  }

  /** Contents by name, for tests that damage files while nothing runs. */
  files(): Map<string, Buffer> {
    return new Map([...this.names].map(([name, content]) => [name, content.bytes]));
  }

  replace(file: string, bytes: Buffer | undefined): void {
    if (bytes === undefined) {
      this.names.delete(file);
      this.durableNames.delete(file);
      return;
    }
    const content = new SimulatedContent();
    content.write(bytes, 0);
    content.sync();
    this.names.set(file, content);
    this.durableNames.set(file, content);
  }

  usedBytes(): number {
    let bytes = 0;
    for (const content of this.names.values()) bytes += content.bytes.length;
    return bytes;
  }

  /** Runs one operation a turn of the event loop later, unless the power is gone by then. */
  async perform<T>(generation: number, operation: DiskOperation, file: string, work: () => T): Promise<T> {
    if (generation === this.#generation) this.cutAfterOperations -= 1;
    await new Promise((resolve) => setImmediate(resolve));
    if (generation !== this.#generation) return new Promise<never>(() => undefined);
    // Cut after the work: what was written may then survive although nobody was told.
    const cut = this.cutAfterOperations <= 0;
    this.fault(operation, file);
    const result = work();
    if (!cut) return result;
    this.cutPower();
    return new Promise<never>(() => undefined);
  }
}

export type DiskOperation =
  | 'createDirectory'
  | 'list'
  | 'open'
  | 'rename'
  | 'copy'
  | 'remove'
  | 'syncDirectory'
  | 'write'
  | 'read'
  | 'sync'
  | 'truncate';

export function systemError(code: string, file: string): Error {
  return Object.assign(new Error(`${code}: simulated, '${file}'`), { code });
}

class MountedDisk implements JournalFileSystem {
  readonly #disk: SimulatedDisk;
  readonly #generation: number;

  constructor(disk: SimulatedDisk, generation: number) {
    this.#disk = disk;
    this.#generation = generation;
  }

  createDirectory(): Promise<void> {
    return this.#perform('createDirectory', '', () => undefined);
  }

  list(directory: string): Promise<string[]> {
    return this.#perform('list', directory, () =>
      [...this.#disk.names.keys()]
        .filter((name) => path.dirname(name) === directory)
        .map((n) => path.basename(n)),
    );
  }

  listDirectories(directory: string): Promise<string[]> {
    return this.#perform('list', directory, () => [
      ...new Set(
        [...this.#disk.names.keys()]
          .map((name) => path.dirname(name))
          .filter((parent) => path.dirname(parent) === directory)
          .map((parent) => path.basename(parent)),
      ),
    ]);
  }

  open(file: string, mode: 'create' | 'read' | 'update'): Promise<JournalFile> {
    return this.#perform('open', file, () => {
      const existing = this.#disk.names.get(file);
      if (mode === 'create') {
        if (existing !== undefined) throw systemError('EEXIST', file);
        const content = new SimulatedContent();
        this.#disk.names.set(file, content);
        return new SimulatedFile(this.#disk, this.#generation, file, content);
      }
      if (existing === undefined) throw systemError('ENOENT', file);
      return new SimulatedFile(this.#disk, this.#generation, file, existing);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#perform('rename', from, () => {
      const content = this.#disk.names.get(from);
      if (content === undefined) throw systemError('ENOENT', from);
      this.#disk.names.delete(from);
      this.#disk.names.set(to, content);
    });
  }

  copy(from: string, to: string): Promise<void> {
    return this.#perform('copy', from, () => {
      const content = this.#disk.names.get(from);
      if (content === undefined) throw systemError('ENOENT', from);
      const copied = new SimulatedContent();
      copied.write(content.bytes, 0);
      this.#disk.names.set(to, copied);
    });
  }

  remove(file: string): Promise<void> {
    return this.#perform('remove', file, () => {
      this.#disk.names.delete(file);
    });
  }

  removeDirectory(directory: string): Promise<void> {
    return this.#perform('remove', directory, () => undefined);
  }

  syncDirectory(directory: string): Promise<void> {
    return this.#perform('syncDirectory', directory, () => {
      for (const name of new Set([...this.#disk.names.keys(), ...this.#disk.durableNames.keys()])) {
        if (path.dirname(name) !== directory) continue;
        const content = this.#disk.names.get(name);
        if (content === undefined) this.#disk.durableNames.delete(name);
        else this.#disk.durableNames.set(name, content);
      }
    });
  }

  #perform<T>(operation: DiskOperation, file: string, work: () => T): Promise<T> {
    return this.#disk.perform(this.#generation, operation, file, work);
  }
}

class SimulatedFile implements JournalFile {
  readonly #disk: SimulatedDisk;
  readonly #generation: number;
  readonly #name: string;
  readonly #content: SimulatedContent;

  constructor(disk: SimulatedDisk, generation: number, name: string, content: SimulatedContent) {
    this.#disk = disk;
    this.#generation = generation;
    this.#name = name;
    this.#content = content;
  }

  write(buffers: readonly Uint8Array[], position: number): Promise<void> {
    return this.#disk.perform(this.#generation, 'write', this.#name, () => {
      let at = position;
      for (const buffer of buffers) {
        const growth = Math.max(0, at + buffer.length - this.#content.bytes.length);
        const room = this.#disk.capacity - this.#disk.usedBytes();
        const short = growth > room;
        const part = short
          ? buffer.subarray(0, Math.max(0, buffer.length - growth + Math.max(0, room)))
          : buffer;
        this.#content.write(part, at);
        if (short) throw systemError('ENOSPC', this.#name);
        at += buffer.length;
      }
    });
  }

  read(target: Uint8Array, length: number, position: number): Promise<number> {
    return this.#disk.perform(this.#generation, 'read', this.#name, () => {
      const part = this.#content.bytes.subarray(position, position + length);
      target.set(part);
      return part.length;
    });
  }

  sync(): Promise<void> {
    return this.#disk.perform(this.#generation, 'sync', this.#name, () => this.#content.sync());
  }

  truncate(size: number): Promise<void> {
    return this.#disk.perform(this.#generation, 'truncate', this.#name, () => this.#content.truncate(size));
  }

  async size(): Promise<number> {
    return this.#content.bytes.length;
  }

  async close(): Promise<void> {}
}

const SECTOR_BYTES = 512;

type Change = { readonly at: number; readonly bytes: Buffer } | { readonly truncatedTo: number };

class SimulatedContent {
  bytes = Buffer.alloc(0);
  #durable = Buffer.alloc(0);
  #changes: Change[] = [];

  write(bytes: Uint8Array, at: number): void {
    if (bytes.length === 0) return;
    const change = { at, bytes: Buffer.from(bytes) };
    this.#changes.push(change);
    this.bytes = withWrite(this.bytes, change.at, change.bytes);
  }

  truncate(size: number): void {
    this.#changes.push({ truncatedTo: size });
    this.bytes = withSize(this.bytes, size);
  }

  sync(): void {
    this.#durable = Buffer.from(this.bytes);
    this.#changes = [];
  }

  cutPower(random: () => number): void {
    let bytes = this.#durable;
    for (const change of this.#changes) {
      if ('truncatedTo' in change) {
        if (random() < 0.5) bytes = withSize(bytes, change.truncatedTo);
        continue;
      }
      for (let from = 0; from < change.bytes.length; ) {
        const to = Math.min(change.bytes.length, from + SECTOR_BYTES - ((change.at + from) % SECTOR_BYTES));
        if (random() < 0.5) bytes = withWrite(bytes, change.at + from, change.bytes.subarray(from, to));
        from = to;
      }
    }
    this.bytes = bytes;
    this.sync();
  }
}

function withSize(bytes: Buffer, size: number): Buffer<ArrayBuffer> {
  const resized = Buffer.alloc(size);
  bytes.copy(resized);
  return resized;
}

function withWrite(bytes: Buffer, at: number, added: Buffer): Buffer<ArrayBuffer> {
  const result = withSize(bytes, Math.max(bytes.length, at + added.length));
  added.copy(result, at);
  return result;
}
