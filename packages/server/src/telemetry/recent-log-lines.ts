/** The newest log lines, kept in memory for the API. */
export interface RecentLogLines {
  /** Adds a line as the logger writes it: JSON with a trailing line feed. */
  add(line: string): void;
  /** Calls `listener` with the level of every line from now on. */
  onLine(listener: (level: string) => void): void;
  /** The newest `limit` lines whose level `isWanted`, oldest first. */
  list(limit: number, isWanted?: (level: string) => boolean): readonly RecentLogLine[];
}

export interface RecentLogLine {
  readonly level: string;
  readonly time: string;
  readonly component: string;
  readonly message: string;
  /** The stack of the logged error, if any. */
  readonly stack: string | undefined;
  /** The other logged fields. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RecentLogLinesSettings {
  readonly maxLines?: number;
  /** In characters, over all lines. */
  readonly maxSize?: number;
}

const LEVEL_OF_LINE = /^\{"level":"([a-z]+)"/;
const DEFAULT_MAX_LINES = 2000;
const DEFAULT_MAX_SIZE = 2_000_000;

export function createRecentLogLines(settings: RecentLogLinesSettings = {}): RecentLogLines {
  const maxLines = settings.maxLines ?? DEFAULT_MAX_LINES;
  const maxSize = settings.maxSize ?? DEFAULT_MAX_SIZE;
  // A ring buffer: the oldest line is at `start`. Lines are parsed only when they are listed.
  const ring: (string | undefined)[] = new Array(maxLines);
  let start = 0;
  let count = 0;
  let size = 0;

  function dropOldest(): void {
    size -= ring[start]?.length ?? 0;
    ring[start] = undefined;
    start = (start + 1) % maxLines;
    count--;
  }

  const listeners = new Set<(level: string) => void>();
  return {
    onLine(listener) {
      listeners.add(listener);
    },
    add(line) {
      // The logger writes the level first.
      const [, level] = LEVEL_OF_LINE.exec(line) ?? [];
      if (level !== undefined) for (const listener of listeners) listener(level);
      if (line.length > maxSize) return;
      while (count > 0 && (count === maxLines || size + line.length > maxSize)) dropOldest();
      ring[(start + count) % maxLines] = line;
      count++;
      size += line.length;
    },
    list(limit, isWanted = () => true) {
      const found: RecentLogLine[] = [];
      for (let index = count - 1; index >= 0 && found.length < limit; index--) {
        const line = parseLine(ring[(start + index) % maxLines] ?? '');
        if (line !== undefined && isWanted(line.level)) found.push(line);
      }
      return found.reverse();
    },
  };
}

function parseLine(text: string): RecentLogLine | undefined {
  try {
    const { level, time, component, msg, ...fields } = JSON.parse(text) as Record<string, unknown>;
    return {
      level: asText(level),
      time: asText(time),
      component: asText(component),
      message: asText(msg),
      stack: stackOf(fields.err),
      fields,
    };
  } catch {
    // Not a line of our logger.
    return undefined;
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function stackOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'stack' in error && typeof error.stack === 'string'
    ? error.stack
    : undefined;
}
