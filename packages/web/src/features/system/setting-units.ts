import { formatBytes } from '../../lib/format/index.ts';
import { formatDuration } from '../../lib/time/index.ts';

/** The server names settings by what they are: sizes are bytes, times milliseconds. */
export function settingInWords(name: string, value: number): string | undefined {
  if (/_sizes?$/.test(name)) return formatBytes(value);
  if (/_(?:age|timeout|interval)$/.test(name)) return formatDuration(value);
  return name.endsWith('_percentage') ? `${value} %` : undefined;
}
