import type { LoggerLevel, LoggerSubsystems, Loggers, RecentLogMessages } from '@millrace/contract';
import { NotFoundError } from '#core/index.ts';
import {
  LOG_LEVELS,
  type LogLevel,
  type LogLevels,
  type RecentLogLines,
  ROOT_LOGGER,
} from '#telemetry/index.ts';

/** Loggers, their levels and the newest lines, in the shapes of the API. */
export interface LogControl {
  loggers(): Loggers;
  subsystems(): LoggerSubsystems;
  /** Refuses a logger that does not exist. */
  setLevel(logger: string, level: LoggerLevel): void;
  /** Refuses a subsystem that does not exist. */
  setSubsystemLevel(subsystem: string, level: LoggerLevel): void;
  recentMessages(limit: number, level: LoggerLevel): RecentLogMessages;
}

/** `millrace` covers all of them. Each other subsystem has the name of its loggers. */
const SUBSYSTEMS: Readonly<Record<string, { readonly title: string; readonly description: string }>> = {
  millrace: { title: 'Millrace', description: 'Everything the server logs.' },
  api: { title: 'REST API', description: 'HTTP server, requests and their errors.' },
  auth: { title: 'Authentication', description: 'Logins, sessions, tokens and permissions.' },
  cluster: { title: 'Cluster', description: 'Nodes, leadership and calls between nodes.' },
  inputs: { title: 'Inputs', description: 'Message inputs and their connections.' },
  journal: { title: 'Journal', description: 'The message journal on disk.' },
  processing: { title: 'Processing', description: 'Decoding, pipelines and stream routing.' },
  storage: { title: 'Storage', description: 'Writing to ClickHouse, rotation and retention.' },
  outputs: { title: 'Outputs', description: 'Forwarding of messages.' },
  search: { title: 'Search', description: 'Queries and their execution.' },
  alerts: { title: 'Alerts', description: 'Conditions and notifications.' },
  metadata: { title: 'Metadata', description: 'The database of settings.' },
};

const ALL_SUBSYSTEMS = 'millrace';

const TO_LOG_LEVEL: Record<LoggerLevel, LogLevel> = {
  off: 'silent',
  fatal: 'fatal',
  error: 'error',
  warn: 'warn',
  info: 'info',
  debug: 'debug',
  trace: 'trace',
  all: 'trace',
};

const SYSLOG_SEVERITY: Record<LogLevel, number> = {
  silent: 0,
  fatal: 1,
  error: 3,
  warn: 4,
  info: 6,
  debug: 7,
  trace: 7,
};

export function createLogControl(deps: {
  readonly levels: LogLevels;
  readonly recent: RecentLogLines;
}): LogControl {
  const { levels, recent } = deps;

  return {
    loggers() {
      const list = levels.list();
      const loggers = Object.fromEntries([...list].map(([name, level]) => [name, levelView(level)]));
      return { total: list.size, loggers };
    },
    subsystems() {
      const list = levels.list();
      const root = list.get(ROOT_LOGGER) ?? 'info';
      const subsystems = Object.entries(SUBSYSTEMS).map(([name, { title, description }]) => [
        name,
        { title, category: name, description, ...levelView(list.get(name) ?? root) },
      ]);
      return { subsystems: Object.fromEntries(subsystems) };
    },
    setLevel(logger, level) {
      const list = levels.list();
      if (!list.has(logger)) throw notFound('logger', logger, list.keys());
      levels.set(logger, TO_LOG_LEVEL[level]);
    },
    setSubsystemLevel(subsystem, level) {
      if (!Object.hasOwn(SUBSYSTEMS, subsystem)) {
        throw notFound('log subsystem', subsystem, Object.keys(SUBSYSTEMS));
      }
      if (subsystem === ALL_SUBSYSTEMS) levels.setAll(TO_LOG_LEVEL[level]);
      else levels.set(subsystem, TO_LOG_LEVEL[level]);
    },
    recentMessages(limit, level) {
      const minimum = LOG_LEVELS.indexOf(TO_LOG_LEVEL[level]);
      const lines = recent.list(limit, (lineLevel) => LOG_LEVELS.indexOf(lineLevel as LogLevel) >= minimum);
      return {
        messages: lines.map((line) => ({
          message: line.message,
          class_name: line.component,
          level: line.level.toUpperCase(),
          marker: null,
          timestamp: line.time,
          throwable: line.stack ?? null,
          thread_name: 'main',
          context: { ...line.fields },
        })),
      };
    },
  };
}

function notFound(what: string, name: string, known: Iterable<string>): NotFoundError {
  const shown = JSON.stringify(name.slice(0, 100));
  return new NotFoundError(`No such ${what}: ${shown}. Use one of ${[...known].join(', ')}.`);
}

function levelView(level: LogLevel): { level: LoggerLevel; level_syslog: number } {
  return { level: level === 'silent' ? 'off' : level, level_syslog: SYSLOG_SEVERITY[level] };
}
