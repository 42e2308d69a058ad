import type { Metrics } from './metrics.ts';
import type { RecentLogLines } from './recent-log-lines.ts';

const PREFIX = 'org.apache.logging.log4j.core.Appender';
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Counts the log lines of each level, under the names by which Graylog's clients ask for them. */
export function registerLogMeters(metrics: Metrics, recent: Pick<RecentLogLines, 'onLine'>): void {
  const meter = (name: string, help: string) => metrics.meter(`${PREFIX}.${name}`, { help });
  const all = meter('all', 'Log lines');
  const byLevel = new Map<string, ReturnType<typeof meter>>(
    LEVELS.map((level) => [level, meter(level, `Log lines of the level ${level}`)]),
  );
  recent.onLine((level) => {
    all.mark();
    byLevel.get(level)?.mark();
  });
}
