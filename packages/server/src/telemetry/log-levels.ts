import type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The name of the logger that all others come from. */
export const ROOT_LOGGER = 'root';

/**
 * Changes how much the parts of the node log while it runs. A part is the `component` its logger is bound to;
 * loggers made from it without a component of their own belong to it.
 */
export interface LogLevels {
  /** The level of every part that has a logger, and of the root. By name. */
  list(): ReadonlyMap<string, LogLevel>;
  /** For the loggers the part has and for those it will make. */
  set(component: string, level: LogLevel): void;
  /** For all parts, whatever was set for single ones. */
  setAll(level: LogLevel): void;
  /** For other workers, which have loggers of their own. Undefined as component: all parts. */
  onChange(listener: (component: string | undefined, level: LogLevel) => void): void;
  /** Called by the logger itself: puts a new one under this control. */
  adopt(logger: Logger, parent: Logger | undefined, component: string | undefined): void;
}

interface Part {
  level: LogLevel;
  loggers: WeakRef<Logger>[];
  /** Looks for loggers that are gone when there are that many. */
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
