import fs from 'node:fs';

const TICKS_A_SECOND = 100;

/** A process and all below it, as /proc shows them. */
function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    found.push(pid);
    waiting.push(...(children.get(pid) ?? []));
  }
  return found;
}

/** The fields of `/proc/<pid>/stat` after the name: state, parent, … */
function statOf(pid: number | string): string[] | undefined {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Processor time of a process alone, in µs. */
export function ownCpuMicroseconds(pid: number): number {
  return cpuMicrosecondsOf(statOf(pid));
}

/** Of its first thread alone. */
export function mainThreadCpuMicroseconds(pid: number): number {
  return cpuMicrosecondsOf(statOf(`${pid}/task/${pid}`));
}

function cpuMicrosecondsOf(stat: string[] | undefined): number {
  return ((Number(stat?.[11] ?? 0) + Number(stat?.[12] ?? 0)) / TICKS_A_SECOND) * 1e6;
}

/** Processor time of a process and all below it, in µs. */
export function treeCpuMicroseconds(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + ownCpuMicroseconds(pid), 0);
}

export function treeResidentBytes(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + residentBytes(pid), 0);
}

/** Of a process alone. */
export function residentBytes(pid: number): number {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Resolves when a process and all below it have done next to nothing for a while. */
export async function treeIsQuiet(
  root: number,
  options: { readonly seconds: number; readonly atMost: number },
) {
  const busyShare = 0.1;
  let quiet = 0;
  let last = treeCpuMicroseconds(root);
  for (let second = 0; second < options.atMost && quiet < options.seconds; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = treeCpuMicroseconds(root);
    quiet = (now - last) / 1e6 < busyShare ? quiet + 1 : 0;
    last = now;
  }
}
