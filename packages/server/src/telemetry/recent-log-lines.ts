/** The newest lines of the log, kept in memory so that the API can show them. */
export interface RecentLogLines {
  /** Takes a line as the logger writes it: JSON with a line feed at the end. */
  add(line: string): void;
  /** The newest `limit` lines of `isWanted` levels, oldest first. */
  list(limit: number, isWanted?: (level: string) => boolean): readonly RecentLogLine[];
}

export interface RecentLogLine {
  readonly level: string;
  readonly time: string;
  readonly component: string;
  readonly message: string;
  /** The stack of the error that was logged, if one was. */
  readonly stack: string | undefined;
  /** What else was logged. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RecentLogLinesConfig {
  readonly maxLines?: number;
  /** Counted in characters over all lines. */
  readonly maxSize?: number;
}

const DEFAULT_MAX_LINES = 2000;
const DEFAULT_MAX_SIZE = 2_000_000;

export function createRecentLogLines(config: RecentLogLinesConfig = {}): RecentLogLines {
  const maxLines = config.maxLines ?? DEFAULT_MAX_LINES;
  const maxSize = config.maxSize ?? DEFAULT_MAX_SIZE;
  // A ring: the oldest line is at `start`, and lines are parsed only when somebody wants to see them.
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

  return {
    add(line) {
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
