import { z } from 'zod';
import { integerParameter } from './parameters.ts';
import { timestampSchema } from './time.ts';

/** Graylog's names for the levels, from off to all. */
export const LOGGER_LEVELS = ['off', 'fatal', 'error', 'warn', 'info', 'debug', 'trace', 'all'] as const;
export type LoggerLevel = (typeof LOGGER_LEVELS)[number];

/** A level in a path or query, in upper or lower case. */
export const loggerLevelParameter = z
  .preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), z.enum(LOGGER_LEVELS))
  .meta({ type: 'string', enum: [...LOGGER_LEVELS], example: 'debug' });

export const loggerNameParameter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Name of a logger', example: 'journal' });

const levelShape = {
  level: z.enum(LOGGER_LEVELS),
  level_syslog: z.int().min(0).max(7).describe('The nearest syslog severity.'),
};

/** `GET /system/loggers` */
export const loggersSchema = z
  .object({ total: z.int().min(0), loggers: z.record(z.string(), z.object(levelShape)) })
  .meta({ id: 'Loggers' });
export type Loggers = z.infer<typeof loggersSchema>;

/** `GET /system/loggers/subsystems` */
export const loggerSubsystemsSchema = z
  .object({
    subsystems: z.record(
      z.string(),
      z.object({ title: z.string(), category: z.string(), description: z.string(), ...levelShape }),
    ),
  })
  .meta({ id: 'LoggerSubsystems' });
export type LoggerSubsystems = z.infer<typeof loggerSubsystemsSchema>;

/** `GET /cluster/system/loggers`, `GET /cluster/system/loggers/subsystems` */
export const clusterLoggersSchema = z
  .record(z.string(), loggersSchema.nullable())
  .meta({ id: 'ClusterLoggers' });
export const clusterLoggerSubsystemsSchema = z
  .record(z.string(), loggerSubsystemsSchema.nullable())
  .meta({ id: 'ClusterLoggerSubsystems' });

export const recentLogMessagesQuerySchema = z.object({
  limit: integerParameter({ min: 0, max: 10_000 }).default(500).describe('The number of newest messages.'),
  level: loggerLevelParameter.default('all').describe('Messages of this level and above.'),
});

/** `GET /system/loggers/messages/recent` */
export const recentLogMessagesSchema = z
  .object({
    messages: z.array(
      z.object({
        message: z.string(),
        class_name: z.string().describe('The part of the node that logged it.'),
        level: z.string(),
        marker: z.string().nullable(),
        timestamp: timestampSchema,
        throwable: z.string().nullable(),
        thread_name: z.string(),
        context: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({ id: 'RecentLogMessages' });
export type RecentLogMessages = z.infer<typeof recentLogMessagesSchema>;
