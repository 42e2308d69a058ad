import type { Metrics } from './metrics.ts';
import type { RecentLogLines } from './recent-log-lines.ts';

const PREFIX = 'org.apache.logging.log4j.core.Appender';
const LEVELS = ['warn', 'error', 'info', 'fatal', 'debug', 'trace'] as const;

/** Counts the log lines of each level, under the names by which Graylog's clients ask for them. */
export function registerLogMeters(metrics: Metrics, recent: Pick<RecentLogLines, 'onLine'>): void {
  const meter = (name: string, help: string) => metrics.meter(`${PREFIX}.${name}`, { help });
  const byLevel = new Map<string, ReturnType<typeof meter>>(
    LEVELS.map((level) => [level, meter(level, `Log lines of the level ${level}`)]),
  );
  const all = meter('all', 'Log lines');
  recent.onLine((level) => {
    all.mark();
    byLevel.get(level)?.mark();
  });
}

/**
 * In the order in which Graylog lists them: a Zabbix check takes warnings, errors and fatal ones from the first, second
 * and fourth place of the namespace. In a wider one, all other metrics come before these, in the order they have.
 */
export function inOrderOfLogMeters<Metric extends { readonly full_name: string }>(
  found: readonly Metric[],
): Metric[] {
  const place = ({ full_name: name }: Metric) => {
    if (!name.startsWith(`${PREFIX}.`)) return -1;
    const at = LEVELS.findIndex((level) => name === `${PREFIX}.${level}`);
    return at < 0 ? LEVELS.length : at;
  };
  return found.toSorted((one, other) => place(one) - place(other));
}
