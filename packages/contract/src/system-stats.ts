import { z } from 'zod';

/** `-1` for unknown values, as in Graylog. */
const figure = z.number();

export const filesystemStatsSchema = z
  .object({
    filesystems: z.record(
      z.string(),
      z.object({
        path: z.string(),
        total: figure.describe('Bytes.'),
        free: figure,
        available: figure.describe('Free for this user.'),
        used: figure,
        used_percent: figure,
        inodes_total: figure,
        inodes_free: figure,
        inodes_used: figure,
        inodes_used_percent: figure,
      }),
    ),
  })
  .meta({ id: 'FilesystemStats' });
export type FilesystemStats = z.infer<typeof filesystemStatsSchema>;

/** The runtime, under the name that Graylog's clients expect. */
export const runtimeStatsSchema = z
  .object({
    version: z.string(),
    vm_name: z.string(),
    vm_version: z.string(),
    vm_vendor: z.string(),
    start_time: z.number().describe('Milliseconds since the epoch.'),
    mem: z.object({
      heap_max: figure,
      heap_total: figure,
      heap_used: figure,
      external: figure.describe('Memory outside the heap that objects in the heap own.'),
    }),
    memory_pools: z.array(z.string()),
  })
  .meta({ id: 'RuntimeStats' });
export type RuntimeStats = z.infer<typeof runtimeStatsSchema>;

export const networkStatsSchema = z
  .object({
    primary_interface: z.string().nullable(),
    interfaces: z.record(
      z.string(),
      z.object({ name: z.string(), addresses: z.array(z.string()), mac_address: z.string() }),
    ),
  })
  .meta({ id: 'NetworkStats' });
export type NetworkStats = z.infer<typeof networkStatsSchema>;

export const osStatsSchema = z
  .object({
    load_average: z.array(z.number()).length(3),
    uptime: z.number().describe('Seconds.'),
    processor: z.object({
      model: z.string(),
      vendor: z.string(),
      mhz: figure,
      total_cores: figure,
      sys: figure.describe('Percent of the time since the machine started.'),
      user: figure,
      idle: figure,
    }),
    memory: z.object({
      total: figure.describe('Bytes.'),
      free: figure,
      free_percent: figure,
      used: figure,
      used_percent: figure,
      actual_free: figure.describe('Free memory plus caches that the system can release.'),
      actual_used: figure,
    }),
  })
  .meta({ id: 'OsStats' });
export type OsStats = z.infer<typeof osStatsSchema>;

export const processStatsSchema = z
  .object({
    pid: z.int(),
    open_file_descriptors: figure,
    max_file_descriptors: figure,
    cpu: z.object({
      percent: figure.describe('Of one core, since the process started.'),
      sys: figure.describe('Milliseconds.'),
      user: figure.describe('Milliseconds.'),
      total: figure.describe('Milliseconds.'),
    }),
    memory: z.object({ resident: figure.describe('Bytes.') }),
  })
  .meta({ id: 'ProcessStats' });
export type ProcessStats = z.infer<typeof processStatsSchema>;

/** `GET /system/stats` */
export const systemStatsSchema = z
  .object({
    fs: filesystemStatsSchema,
    jvm: runtimeStatsSchema,
    network: networkStatsSchema,
    os: osStatsSchema,
    process: processStatsSchema,
  })
  .meta({ id: 'SystemStats' });
export type SystemStats = z.infer<typeof systemStatsSchema>;
