/** A control group of the kernel that limits the processor time of all processes in it together. */
import fs from 'node:fs';
import path from 'node:path';

export interface CpuGroup {
  /** A command that enters the group and runs the command after it. */
  readonly wrapper: readonly string[];
  /** A process that runs already. */
  add(pid: number): void;
  /** Only when no process is left in it. */
  close(): void;
}

const ROOT = '/sys/fs/cgroup';
const PERIOD_MICROSECONDS = 100_000;

/**
 * @param cores how many seconds of processor time a second
 * Throws with the reason where there are no such groups.
 */
export function openCpuGroup(name: string, cores: number): CpuGroup {
  const isSecond = fs.existsSync(path.join(ROOT, 'cgroup.controllers'));
  const parent = isSecond ? ROOT : path.join(ROOT, 'cpu');
  const directory = path.join(parent, `millrace-bench-${process.pid}-${name}`);
  const write = (file: string, text: string) => fs.writeFileSync(path.join(directory, file), text);
  const quota = Math.round(cores * PERIOD_MICROSECONDS);
  fs.mkdirSync(directory);
  try {
    if (isSecond) write('cpu.max', `${quota} ${PERIOD_MICROSECONDS}`);
    else write('cpu.cfs_quota_us', String(quota));
  } catch (error) {
    fs.rmdirSync(directory);
    throw error;
  }
  return {
    wrapper: ['sh', '-c', `echo $$ > ${path.join(directory, 'cgroup.procs')} && exec "$@"`, 'sh'],
    add: (pid) => write('cgroup.procs', String(pid)),
    close: () => fs.rmdirSync(directory),
  };
}
