import type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The name of the logger from which all others derive. */
export const ROOT_LOGGER = 'root';

/**
 * Changes the log levels of a running node, part by part. A logger belongs to the part named by its `component`
 * binding; a child logger without that binding belongs to its parent's part.
 */
export interface LogLevels {
  /** What gives another thread the same levels, in this order. The component is undefined for `setAll`. */
  changes(): readonly { readonly component: string | undefined; readonly level: LogLevel }[];
  /** The level of every part that has a logger, and of the root, by name. */
  list(): ReadonlyMap<string, LogLevel>;
  /** For the present and future loggers of the part. */
  set(component: string, level: LogLevel): void;
  /** For all parts; replaces the levels of single parts. */
  setAll(level: LogLevel): void;
  /** Lets workers, which have their own loggers, follow. The component is undefined for `setAll`. */
  onChange(listener: (component: string | undefined, level: LogLevel) => void): void;
  /** Called by the logger for each new logger. */
  adopt(logger: Logger, parent: Logger | undefined, component: string | undefined): void;
}

interface Part {
  level: LogLevel;
  loggers: WeakRef<Logger>[];
  /** Garbage-collected loggers are swept out when the list has this length. */
  sweepAt: number;
}

const FIRST_SWEEP = 16;

export function createLogLevels(initial: LogLevel): LogLevels {
  const parts = new Map<string, Part>();
  const componentOf = new WeakMap<Logger, string>();
  const listeners: ((component: string | undefined, level: LogLevel) => void)[] = [];
  let defaultLevel = initial;

  function partOf(component: string): Part {
    let part = parts.get(component);
    if (part === undefined) {
      part = { level: defaultLevel, loggers: [], sweepAt: FIRST_SWEEP };
      parts.set(component, part);
    }
    return part;
  }

  function apply(part: Part, level: LogLevel): void {
    part.level = level;
    for (const reference of part.loggers) {
      const logger = reference.deref();
      if (logger !== undefined) logger.level = level;
    }
  }

  return {
    changes: () => [
      { component: undefined, level: defaultLevel },
      ...[...parts].map(([component, { level }]) => ({ component, level })),
    ],
    list: () => new Map([...parts].map(([name, part]) => [name, part.level] as const).sort()),
    set(component, level) {
      apply(partOf(component), level);
      for (const listener of listeners) listener(component, level);
    },
    setAll(level) {
      defaultLevel = level;
      for (const part of parts.values()) apply(part, level);
      for (const listener of listeners) listener(undefined, level);
    },
    onChange: (listener) => void listeners.push(listener),
    adopt(logger, parent, component) {
      const name = component ?? (parent && componentOf.get(parent)) ?? ROOT_LOGGER;
      const part = partOf(name);
      componentOf.set(logger, name);
      if (logger.level !== part.level) logger.level = part.level;
      if (part.loggers.length >= part.sweepAt) {
        part.loggers = part.loggers.filter((reference) => reference.deref() !== undefined);
        part.sweepAt = Math.max(FIRST_SWEEP, part.loggers.length * 2);
      }
      part.loggers.push(new WeakRef(logger));
    },
  };
}
