import { z } from 'zod';
import { booleanParameter, integerParameter } from './parameters.ts';
import { timestampSchema } from './time.ts';

const memoryAmountSchema = z
  .object({ bytes: z.number(), kilobytes: z.number(), megabytes: z.number() })
  .meta({ id: 'MemoryAmount' });
export type MemoryAmount = z.infer<typeof memoryAmountSchema>;

/** `GET /system/jvm`: the name is Graylog's; the figures are those of the JavaScript heap. */
export const runtimeMemorySchema = z
  .object({
    free_memory: memoryAmountSchema,
    max_memory: memoryAmountSchema,
    total_memory: memoryAmountSchema,
    used_memory: memoryAmountSchema,
    node_id: z.string(),
    pid: z.string(),
    info: z.string(),
  })
  .meta({ id: 'RuntimeMemory' });
export type RuntimeMemory = z.infer<typeof runtimeMemorySchema>;

/** `GET /system/threaddump` */
export const threadDumpSchema = z.object({ threaddump: z.string() }).meta({ id: 'ThreadDump' });

/** `GET /system/locales` */
export const localesSchema = z
  .object({
    locales: z.record(z.string(), z.object({ language_tag: z.string(), display_name: z.string() })),
  })
  .meta({ id: 'Locales' });
export type Locales = z.infer<typeof localesSchema>;

/** `GET /system/throughput` */
export const throughputSchema = z
  .object({ throughput: z.int().min(0).describe('Messages written out in the last second.') })
  .meta({ id: 'Throughput' });
export type Throughput = z.infer<typeof throughputSchema>;

/** `GET /count/total` */
export const messageCountSchema = z.object({ events: z.int().min(0) }).meta({ id: 'MessageCount' });
export type MessageCount = z.infer<typeof messageCountSchema>;

/** `GET /system/configuration`: settings by their name in the configuration file, without secrets. */
export const exposedConfigurationSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
  .meta({ id: 'ExposedConfiguration' });
export type ExposedConfiguration = z.infer<typeof exposedConfigurationSchema>;

/** `GET /system/journal` */
export const journalSummarySchema = z
  .object({
    enabled: z.boolean(),
    append_events_per_second: z.number().min(0),
    read_events_per_second: z.number().min(0),
    uncommitted_journal_entries: z.number().min(0),
    journal_size: z.number().min(0).describe('Bytes.'),
    journal_size_limit: z.number().min(0).describe('Bytes.'),
    number_of_segments: z.int().min(0),
    oldest_segment: timestampSchema.nullable(),
    journal_config: z
      .object({
        directory: z.string(),
        segment_size: z.number(),
        segment_age: z.number().describe('Milliseconds.'),
        max_size: z.number(),
        max_age: z.number().describe('Milliseconds.'),
        flush_interval: z.number().describe('Messages.'),
        flush_age: z.number().describe('Milliseconds.'),
      })
      .nullable(),
  })
  .meta({ id: 'JournalSummary' });
export type JournalSummary = z.infer<typeof journalSummarySchema>;

export const trafficQuerySchema = z.object({
  days: integerParameter({ min: 1, max: 400 }).default(30).describe('Number of days, including today.'),
  daily: booleanParameter().default(false).describe('Sums per day instead of per hour.'),
});

const trafficHistogramSchema = z.record(timestampSchema, z.number().min(0));

/** `GET /system/cluster/traffic` */
export const trafficSchema = z
  .object({
    from: timestampSchema,
    to: timestampSchema,
    input: trafficHistogramSchema.describe('Bytes received, by the start of the hour or day.'),
    decoded: trafficHistogramSchema.describe('Bytes after decoding.'),
    output: trafficHistogramSchema.describe('Bytes written to the message storage.'),
  })
  .meta({ id: 'Traffic' });
export type Traffic = z.infer<typeof trafficSchema>;
