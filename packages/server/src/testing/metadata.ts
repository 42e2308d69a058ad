import { pino } from 'pino';
import type { Clock } from '#core/index.ts';
import { type Metadata, openMetadata } from '#metadata/index.ts';
import { ManualClock } from './manual-clock.ts';

/** A metadata database of its own for one test: SQLite in memory, with the real schema. Close it at the end. */
export function openTestMetadata(clock: Clock = new ManualClock()): Promise<Metadata> {
  return openMetadata({ logger: pino({ level: 'silent' }), clock }, { uri: 'sqlite::memory:' });
}
