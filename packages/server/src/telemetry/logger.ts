import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { type Clock, systemClock } from '#core/index.ts';
import type { LogLevel, LogLevels } from './log-levels.ts';
import type { RecentLogLines } from './recent-log-lines.ts';
import { withoutSecrets, withoutSecretsInObject } from './redaction.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Where lines go; standard output unless told otherwise. */
  readonly stream?: DestinationStream;
  /** Readable lines instead of JSON. Unset: readable when standard output is a terminal. */
  readonly pretty?: boolean;
  readonly clock?: Clock;
  /** Lets the levels be changed while the node runs. */
  readonly levels?: LogLevels;
  /** Gets every line too. */
  readonly recent?: RecentLogLines;
}

const STANDARD_OUTPUT = 1;

/**
 * The node's logger. Every part takes a child of it: `logger.child({ component: 'journal' })`.
 *
 * Contract: lines are written before the call returns, so the last words of a dying process are not lost.
 * `Secret` values, and values under keys that name one (password, token, cookie, ...), never appear,
 * neither in log objects, in errors nor in the bindings of a child.
 */
export function createLogger(options: LoggerOptions): Logger {
  const clock = options.clock ?? systemClock;
  const pretty = options.pretty ?? (options.stream === undefined && isatty(STANDARD_OUTPUT));
  const output = options.stream ?? destination({ dest: STANDARD_OUTPUT, sync: true });
  const shown = pretty ? prettyStream(output, options.stream === undefined) : output;

  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (object) => withoutSecretsInObject(object),
      },
      // Runs last on the key `err`; by then the formatter above has made a plain object of the error.
      serializers: { err: (error: unknown) => withoutSecrets(error) },
    },
    options.recent === undefined ? shown : rememberingStream(shown, options.recent),
  );
  options.levels?.adopt(logger, undefined, undefined);
  return controlChildren(logger, options.levels);
}

function rememberingStream(target: DestinationStream, recent: RecentLogLines): DestinationStream {
  return {
    write(line) {
      recent.add(line);
      target.write(line);
    },
  };
}

/** pino does not pass the bindings of children through its formatters; children inherit this method. */
function controlChildren(logger: Logger, levels: LogLevels | undefined): Logger {
  const createChild: Logger['child'] = logger.child;
  const child: Logger['child'] = function controlledChild(this: Logger, bindings, options) {
    const created: Logger = createChild.call(this, withoutSecretsInObject(bindings), options) as never;
    const component = 'component' in bindings ? String(bindings.component) : undefined;
    // A child that was given a level of its own keeps it.
    if (options?.level === undefined) levels?.adopt(created, this, component);
    return created as never;
  };
  logger.child = child;
  return logger;
}

/**
 * One line for each event, with the fields dimmed behind the message. Formats in this thread: a transport in a worker thread would delay the start and could lose the last
 * lines. The formatter is loaded only where it is used, which saves 20 ms of every start as a service.
 */
function prettyStream(target: DestinationStream, colorize: boolean): DestinationStream {
  const require = createRequire(import.meta.url);
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty');
  const format = prettyFactory({
    colorize,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'component',
    messageFormat: '{if component}{component}: {end}{msg}',
  });
  return {
    write(line) {
      target.write(format(line));
    },
  };
}
