/** A control group of the kernel that limits the memory of all processes in it together. */
import fs from 'node:fs';
import path from 'node:path';

export interface MemoryGroup {
  /** A command that enters the group and runs the command after it. */
  readonly wrapper: readonly string[];
  /** In bytes: with pages of files, which the kernel drops when it needs room, and without. */
  used(): { readonly all: number; readonly withoutFiles: number };
  /** How many processes the kernel has killed. */
  kills(): number;
  close(): void;
}

const ROOT = '/sys/fs/cgroup';

/** Throws with the reason where there are no such groups. */
export function openMemoryGroup(limitBytes: number): MemoryGroup {
  const isSecond = fs.existsSync(path.join(ROOT, 'cgroup.controllers'));
  const parent = isSecond ? ROOT : path.join(ROOT, 'memory');
  const directory = path.join(parent, `millrace-bench-${process.pid}`);
  const file = (name: string) => path.join(directory, name);
  try {
    fs.mkdirSync(directory);
    fs.writeFileSync(file(isSecond ? 'memory.max' : 'memory.limit_in_bytes'), String(limitBytes));
  } catch (error) {
    throw new Error(
      `cannot limit memory with a control group in ${parent} (${error instanceof Error ? error.message : error}): run this as root on Linux, where the memory controller is on`,
    );
  }
  const numbers = (name: string) =>
    new Map(
      fs
        .readFileSync(file(name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => {
          const [key = '', value] = line.split(' ');
          return [key, Number(value)] as const;
        }),
    );
  return {
    wrapper: ['sh', '-c', `echo $$ > ${file('cgroup.procs')} && exec "$@"`, 'sh'],
    used() {
      const all = Number(
        fs.readFileSync(file(isSecond ? 'memory.current' : 'memory.usage_in_bytes'), 'utf8'),
      );
      const stat = numbers('memory.stat');
      return { all, withoutFiles: stat.get(isSecond ? 'anon' : 'total_rss') ?? 0 };
    },
    kills: () => numbers(isSecond ? 'memory.events' : 'memory.oom_control').get('oom_kill') ?? 0,
    close: () => fs.rmdirSync(directory),
  };
}
