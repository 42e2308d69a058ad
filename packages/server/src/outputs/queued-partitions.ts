import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { listPartitions } from '#journal/index.ts';

/** The numbers of all journal partitions for which some output has a queue on disk. */
export async function queuedPartitions(directory: string): Promise<number[]> {
  const numbers = new Set<number>();
  for (const id of await readdir(directory).catch((): string[] => [])) {
    for (const { number } of await listPartitions(path.join(directory, id))) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b);
}
