/** A GELF message as VictoriaLogs wants it: flat JSON, the text as `_msg` and the time as `_time`. */
export function jsonLine(gelf: string): string {
  const { version: _, short_message, timestamp, ...others } = JSON.parse(gelf) as Record<string, unknown>;
  const line: Record<string, unknown> = {
    _time: new Date(Math.round(Number(timestamp) * 1000)).toISOString(),
    _msg: short_message,
  };
  for (const [key, value] of Object.entries(others)) line[key.replace(/^_/, '')] = value;
  return JSON.stringify(line);
}
