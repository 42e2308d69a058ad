/**
 * The process around a node: reads the configuration, starts the node, says what a person needs to know,
 * and stops it on signals. Nothing else ends the process.
 */
import { helpText, loadConfig, readProduct, requestedAction } from '#config/index.ts';
import { errorMessage, StartupError, systemClock } from '#core/index.ts';
import {
  backUp,
  createDrain,
  createDrainProgress,
  createNode,
  type Drain,
  drainedMessage,
  migrate,
  type Node,
  restore,
  startedMessage,
} from '#node/index.ts';
import { createLogger, createLogLevels, createRecentLogLines, type Logger } from '#telemetry/index.ts';

/**
 * npm passes a Ctrl-C on that the terminal has already delivered. Signals this close together are one, so
 * that a single Ctrl-C is not taken for the second one that ends the process at once.
 */
const SAME_SIGNAL_MS = 1000;

function printFailure(error: unknown, what = 'Millrace cannot start'): void {
  const advice =
    error instanceof StartupError
      ? `What to do: ${error.whatToDo}`
      : `This was not foreseen; please report it with these lines.\n${(error as Error).stack}`;
  process.stderr.write(`\n${what}: ${errorMessage(error)}\n\n${advice}\n\n`);
}

interface Ending {
  readonly timeoutMs: number;
  /** If it stopped in time. */
  readonly exitCode: number;
}

/** Ends the node in an orderly way, or at once when asked a second time or when it takes too long. */
function endOnSignals(node: Pick<Node, 'stop'>, logger: Logger, ending: Ending): void {
  let stoppingSince: number | undefined;
  const end = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (stoppingSince !== undefined) {
      if (now - stoppingSince < SAME_SIGNAL_MS) return;
      logger.warn({ signal }, 'stopping at once; what was acknowledged is in the journal');
      process.exit(130);
    }
    stoppingSince = now;
    logger.info({ signal }, 'stopping');
    void stopWithin(node, logger, ending);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

async function stopWithin(
  node: Pick<Node, 'stop'>,
  logger: Logger,
  { timeoutMs, exitCode }: Ending,
): Promise<void> {
  setTimeout(() => {
    logger.error({ timeoutMs }, 'not everything stopped in time, ending anyway');
    process.exit(1);
  }, timeoutMs).unref();
  await node.stop();
  logger.info('stopped');
  process.exit(exitCode);
}

/**
 * A fault nobody foresaw: the state of the process is unknown, so it ends; the journal has what was accepted. Only an
 * error in a plugin's own timer or callback says nothing about the rest.
 */
function endOnFaults(logger: Logger, isContained: (error: unknown) => boolean): void {
  const end = (error: unknown) => {
    if (isContained(error)) return;
    logger.fatal({ err: error }, 'unexpected fault, ending; please report it with this line');
    process.exit(70);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

/** What the configuration says, and the log as it wants it. */
function openProcess() {
  const { config } = loadConfig({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() });
  const levels = createLogLevels(config.log_level);
  const recentLogLines = createRecentLogLines();
  const logger = createLogger({
    level: config.log_level,
    levels,
    recent: recentLogLines,
    ...(config.log_format === 'auto' ? {} : { pretty: config.log_format === 'pretty' }),
  });
  return { config, levels, recentLogLines, logger };
}

async function run(): Promise<void> {
  const { config, levels, recentLogLines, logger } = openProcess();
  const stopNode = () => void process.kill(process.pid, 'SIGTERM');
  const startFailed = (error: unknown) => {
    printFailure(error);
    void node.stop().then(() => process.exit(1));
  };
  const node: Node = createNode(
    { logger, levels, recentLogLines, clock: systemClock, stopNode, startFailed },
    config,
  );
  endOnFaults(logger, node.contain);
  endOnSignals(node, logger, { timeoutMs: config.shutdown_timeout, exitCode: 0 });
  try {
    const started = await node.start();
    process.stdout.write(startedMessage(started));
    started.newAdministrator?.keep();
    logger.info({ address: started.address }, 'ready');
  } catch (error) {
    await node.stop();
    throw error;
  }
}

/** Ends with 0 if the data directory is empty, otherwise with 1: what is left is there for the next time. */
async function runDrain(): Promise<void> {
  const { config, levels, recentLogLines, logger } = openProcess();
  const startFailed = (error: unknown) => {
    printFailure(error);
    void drain.stop().then(() => process.exit(1));
  };
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const drain: Drain = createDrain(
    {
      logger,
      levels,
      recentLogLines,
      clock: systemClock,
      startFailed,
      progress: createDrainProgress(say),
    },
    config,
  );
  endOnFaults(logger, drain.contain);
  endOnSignals(drain, logger, { timeoutMs: config.shutdown_timeout, exitCode: 1 });
  try {
    const drained = await drain.run();
    await drain.stop();
    for (const line of drainedMessage(drained, config.data_dir)) say(line);
    process.exit(drained.kept.length === 0 ? 0 : 1);
  } catch (error) {
    await drain.stop();
    throw error;
  }
}

/** Without the lines of the log that a node prints: what it says is for a person. */
async function runBackup(action: 'backup' | 'restore' | 'migrate'): Promise<void> {
  const { config } = openProcess();
  const logger = createLogger({ level: 'warn' });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => ending.abort(new StartupError('it was interrupted', 'Run it again.')));
  }
  const deps = { logger, clock: systemClock, say, signal: ending.signal };
  try {
    if (action === 'restore') await restore(deps, config);
    else if (action === 'migrate') await migrate(deps, config);
    else say(`Backup complete: ${await backUp(deps, config)}`);
    process.exit(0);
  } catch (error) {
    printFailure(error, `The ${action} failed`);
    process.exit(1);
  }
}

const action = requestedAction(process.argv.slice(2));
if (action === 'help') process.stdout.write(helpText());
else if (action === 'version') process.stdout.write(`${readProduct().version}\n`);
else {
  try {
    if (action === 'drain') await runDrain();
    else if (action === 'backup' || action === 'restore' || action === 'migrate') await runBackup(action);
    else await run();
  } catch (error) {
    printFailure(error);
    process.exit(1);
  }
}
