/** Which threads of a node and its engine use the processor, by what they do. Needs Linux, for /proc. */
import fs from 'node:fs';

const TICKS_A_SECOND = 100;

/** By the names of threads, as far as the kernel keeps them (15 characters). */
const NODE_GROUPS: readonly (readonly [name: RegExp, group: string])[] = [
  [/^WorkerThread/, 'intake'],
  [/^libuv-worker/, 'journal'],
  [/^node-V8Worker/, 'garbage'],
  [/./, 'main thread'],
];
const ENGINE_GROUPS: readonly (readonly [name: RegExp, group: string])[] = [
  [/^MergeMutate|^Merge/, 'merges'],
  [/./, 'inserts and queries'],
];
/** Threads of the engine that wait for work: what they used since the last look belongs to what they did before. */
const IDLE = /^ThreadPool/;

export interface ThreadCpu {
  /** Call it a few times a second: a thread of the engine takes on one task after the other, and its name with it. */
  sample(): void;
  /** Processor time since the beginning, in µs, by group. */
  microseconds(): Readonly<Record<string, number>>;
}

export function watchThreadCpu(nodePid: number, enginePid: number): ThreadCpu {
  const last = new Map<string, { readonly ticks: number; readonly group: string }>();
  const sums: Record<string, number> = {};
  let isFirst = true;

  function look(pid: number, groups: typeof NODE_GROUPS): void {
    for (const thread of threadsOf(pid)) {
      const before = last.get(thread.key);
      const named = groups.find(([name]) => name.test(thread.name))?.[1] ?? '';
      const group = before !== undefined && IDLE.test(thread.name) ? before.group : named;
      const used = thread.ticks - (before?.ticks ?? (isFirst ? thread.ticks : 0));
      sums[group] = (sums[group] ?? 0) + (used / TICKS_A_SECOND) * 1e6;
      last.set(thread.key, { ticks: thread.ticks, group });
    }
  }

  const sample = () => {
    look(nodePid, NODE_GROUPS);
    look(enginePid, ENGINE_GROUPS);
    isFirst = false;
  };
  sample();
  return { sample, microseconds: () => ({ ...sums }) };
}

function threadsOf(pid: number): { readonly key: string; readonly name: string; readonly ticks: number }[] {
  return listOf(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const stat = fs.readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      const end = stat.lastIndexOf(')');
      const fields = stat.slice(end + 2).split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]);
      return [{ key: `${pid}/${thread}`, name: stat.slice(stat.indexOf('(') + 1, end), ticks }];
    } catch {
      return [];
    }
  });
}

/** Nothing for a process that has ended. */
function listOf(directory: string): string[] {
  try {
    return fs.readdirSync(directory);
  } catch {
    return [];
  }
}
