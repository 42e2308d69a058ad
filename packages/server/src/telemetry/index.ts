export type { Logger, LoggerOptions, LogLevel } from './logger.ts';
export { createLogger, LOG_LEVELS } from './logger.ts';
