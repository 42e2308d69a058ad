import type { LoggerLevel } from '@millrace/contract';

/** From nothing to everything. */
export const LOG_LEVELS = [
  'off',
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'all',
] as const satisfies readonly LoggerLevel[];
