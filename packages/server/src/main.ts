/**
 * The process around a node: reads the configuration, starts the node, says what a person needs to know,
 * and stops it on signals. Nothing else ends the process.
 */
import { helpText, loadConfig, readProduct, requestedAction } from '#config/index.ts';
import { errorMessage, StartupError, systemClock } from '#core/index.ts';
import { createNode, type Node, startedMessage } from '#node/index.ts';
import { createLogger, createLogLevels, createRecentLogLines, type Logger } from '#telemetry/index.ts';

/**
 * npm passes a Ctrl-C on that the terminal has already delivered. Signals this close together are one, so
 * that a single Ctrl-C is not taken for the second one that ends the process at once.
 */
const SAME_SIGNAL_MS = 1000;

function printFailure(error: unknown): void {
  const advice =
    error instanceof StartupError
      ? `What to do: ${error.whatToDo}`
      : `This was not foreseen; please report it with these lines.\n${(error as Error).stack}`;
  process.stderr.write(`\nMillrace cannot start: ${errorMessage(error)}\n\n${advice}\n\n`);
}

/** Ends the node in an orderly way, or at once when asked a second time or when it takes too long. */
function endOnSignals(node: Node, logger: Logger, timeoutMs: number): void {
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
    void stopWithin(node, logger, timeoutMs);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

async function stopWithin(node: Node, logger: Logger, timeoutMs: number): Promise<void> {
  setTimeout(() => {
    logger.error({ timeoutMs }, 'not everything stopped in time, ending anyway');
    process.exit(1);
  }, timeoutMs).unref();
  await node.stop();
  logger.info('stopped');
  process.exit(0);
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

async function run(): Promise<void> {
  const { config } = loadConfig({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() });
  const levels = createLogLevels(config.log_level);
  const recentLogLines = createRecentLogLines();
  const logger = createLogger({
    level: config.log_level,
    levels,
    recent: recentLogLines,
    ...(config.log_format === 'auto' ? {} : { pretty: config.log_format === 'pretty' }),
  });
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
  endOnSignals(node, logger, config.shutdown_timeout);
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

const action = requestedAction(process.argv.slice(2));
if (action === 'help') process.stdout.write(helpText());
else if (action === 'version') process.stdout.write(`${readProduct().version}\n`);
else {
  try {
    await run();
  } catch (error) {
    printFailure(error);
    process.exit(1);
  }
}
