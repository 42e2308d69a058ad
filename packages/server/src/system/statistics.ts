import { readdir, readFile, statfs } from 'node:fs/promises';
import os from 'node:os';
import process from 'node:process';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type {
  FilesystemStats,
  NetworkStats,
  OsStats,
  ProcessStats,
  RuntimeStats,
  SystemStats,
} from '@millrace/contract';
import type { NodeStatus } from '#cluster/service.ts';

/** Statistics of the machine and the process, as far as this operating system provides them. */
export interface SystemStatsSource {
  all(): Promise<SystemStats>;
  filesystems(): Promise<FilesystemStats>;
  runtime(): RuntimeStats;
  network(): NetworkStats;
  os(): OsStats;
  process(): Promise<ProcessStats>;
}

export interface SystemStatsSettings {
  /** Directories whose file systems are reported: data, journal. */
  readonly directories: readonly string[];
}

const UNKNOWN = -1;

export function createSystemStats(
  deps: { readonly status: NodeStatus },
  settings: SystemStatsSettings,
): SystemStatsSource {
  const filesystems = () => readFilesystems(settings.directories);
  const runtime = () => readRuntime(deps.status.view().startedAt);
  return {
    filesystems,
    runtime,
    network: readNetwork,
    os: readOs,
    process: readProcess,
    async all() {
      const [fs, processStats] = await Promise.all([filesystems(), readProcess()]);
      return { fs, jvm: runtime(), network: readNetwork(), os: readOs(), process: processStats };
    },
  };
}

async function readFilesystems(directories: readonly string[]): Promise<FilesystemStats> {
  const entries = await Promise.all(
    directories.map(async (path) => {
      try {
        const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path);
        const total = blocks * bsize;
        const free = bfree * bsize;
        return [
          [
            path,
            {
              path,
              total,
              free,
              available: bavail * bsize,
              used: total - free,
              used_percent: percent(total - free, total),
              inodes_total: files,
              inodes_free: ffree,
              inodes_used: files - ffree,
              inodes_used_percent: percent(files - ffree, files),
            },
          ] as const,
        ];
      } catch {
        // The directory does not exist yet.
        return [];
      }
    }),
  );
  return { filesystems: Object.fromEntries(entries.flat()) };
}

function readRuntime(startedAt: number): RuntimeStats {
  const heap = getHeapStatistics();
  return {
    version: process.versions.node,
    vm_name: 'V8',
    vm_version: process.versions.v8,
    vm_vendor: 'Node.js',
    start_time: startedAt,
    mem: {
      heap_max: heap.heap_size_limit,
      heap_total: heap.total_heap_size,
      heap_used: heap.used_heap_size,
      external: heap.external_memory,
    },
    memory_pools: getHeapSpaceStatistics().map((space) => space.space_name),
  };
}

function readNetwork(): NetworkStats {
  const interfaces: NetworkStats['interfaces'] = {};
  let primary: string | null = null;
  for (const [name, addresses] of Object.entries(os.networkInterfaces())) {
    if (addresses === undefined) continue;
    const [first] = addresses;
    if (primary === null && first !== undefined && !first.internal) primary = name;
    interfaces[name] = {
      name,
      addresses: addresses.map((address) => address.address),
      mac_address: first?.mac ?? '',
    };
  }
  return { primary_interface: primary, interfaces };
}

function readOs(): OsStats {
  const total = os.totalmem();
  const free = os.freemem();
  // On Linux, memory held by caches counts as available; elsewhere the runtime reports only free memory.
  const available = process.availableMemory();
  return {
    load_average: os.loadavg(),
    uptime: Math.floor(os.uptime()),
    processor: readProcessor(),
    memory: {
      total,
      free,
      free_percent: percent(free, total),
      used: total - free,
      used_percent: percent(total - free, total),
      actual_free: available,
      actual_used: Math.max(0, total - available),
    },
  };
}

function readProcessor(): OsStats['processor'] {
  const cpus = os.cpus();
  const times = { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 };
  for (const cpu of cpus) {
    times.user += cpu.times.user;
    times.nice += cpu.times.nice;
    times.sys += cpu.times.sys;
    times.idle += cpu.times.idle;
    times.irq += cpu.times.irq;
  }
  const all = times.user + times.nice + times.sys + times.idle + times.irq;
  const model = cpus[0]?.model.trim() ?? '';
  return {
    model,
    vendor: model.split(' ')[0] ?? '',
    mhz: cpus[0]?.speed || UNKNOWN,
    total_cores: cpus.length,
    sys: percent(times.sys + times.irq, all),
    user: percent(times.user + times.nice, all),
    idle: percent(times.idle, all),
  };
}

const MICROSECONDS_PER_MILLISECOND = 1000;

async function readProcess(): Promise<ProcessStats> {
  const { user, system } = process.cpuUsage();
  const userMs = Math.round(user / MICROSECONDS_PER_MILLISECOND);
  const systemMs = Math.round(system / MICROSECONDS_PER_MILLISECOND);
  const total = userMs + systemMs;
  return {
    pid: process.pid,
    open_file_descriptors: await countOpenFiles(),
    max_file_descriptors: await maxOpenFiles(),
    cpu: { percent: percent(total, process.uptime() * 1000), sys: systemMs, user: userMs, total },
    memory: { resident: process.memoryUsage.rss() },
  };
}

/** Known only on systems with /proc. */
async function countOpenFiles(): Promise<number> {
  try {
    return (await readdir('/proc/self/fd')).length;
  } catch {
    return UNKNOWN;
  }
}

async function maxOpenFiles(): Promise<number> {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? UNKNOWN : Number(soft);
  } catch {
    return UNKNOWN;
  }
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.round((100 * part) / whole) : 0;
}
