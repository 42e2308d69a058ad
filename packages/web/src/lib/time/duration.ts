const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** The two largest units that say something: `3 d 4 h`, `12 min`, `42 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toString()} s`;
  const first = UNITS.findIndex(([, size]) => ms >= size);
  const [name, size] = UNITS[first] ?? ['s', 1000];
  const whole = Math.floor(ms / size);
  const next = UNITS[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms % size) / next[1]);
  return rest === 0 || next === undefined || whole >= 10
    ? `${whole} ${name}`
    : `${whole} ${name} ${rest} ${next[0]}`;
}

/** `3 min ago`, `in 2 h`, `now`. */
export function formatAge(ms: number, now: number): string {
  const distance = now - ms;
  const size = UNITS.find(([, unit]) => Math.abs(distance) >= unit);
  if (size === undefined) return 'now';
  const text = `${Math.floor(Math.abs(distance) / size[1])} ${size[0]}`;
  return distance > 0 ? `${text} ago` : `in ${text}`;
}
