import path from 'node:path';
import { type JournalFileSystem, nodeFileSystem } from './file-system.ts';
import { CHECKPOINT_FILE } from './format.ts';

const PARTITION_NAME = /^partition-(\d{1,6})$/;

export interface PartitionDirectory {
  /** The worker it belongs to, which no longer runs when the number of workers was reduced. */
  readonly number: number;
  readonly directory: string;
}

export function partitionDirectory(journalDirectory: string, number: number): string {
  return path.join(journalDirectory, `partition-${number}`);
}

/**
 * All partitions under a node's journal directory, by number. A node that starts with fewer workers than
 * before opens the others too and drains them: they hold acknowledged records.
 */
export async function listPartitions(
  journalDirectory: string,
  files: JournalFileSystem = nodeFileSystem,
): Promise<PartitionDirectory[]> {
  const found: PartitionDirectory[] = [];
  for (const name of await files.listDirectories(journalDirectory)) {
    const number = PARTITION_NAME.exec(name)?.[1];
    if (number !== undefined)
      found.push({ number: Number(number), directory: path.join(journalDirectory, name) });
  }
  return found.sort((a, b) => a.number - b.number);
}

/**
 * Removes the directory of a closed partition that has nothing left to deliver. False, and nothing
 * happened, when there are segments or files kept because they are damaged.
 */
export async function removeDrainedPartition(
  directory: string,
  files: JournalFileSystem = nodeFileSystem,
): Promise<boolean> {
  const names = await files.list(directory);
  if (names.some((name) => name !== CHECKPOINT_FILE)) return false;
  await files.remove(path.join(directory, CHECKPOINT_FILE));
  await files.removeDirectory(directory);
  return true;
}
