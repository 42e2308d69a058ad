/** Clocks that differ by less are taken for equal: the header has whole seconds only. */
const TOLERANCE_MS = 2000;
let offset = 0;

/** What the header `Date` of an answer says about the server's clock. */
export function noteServerDate(header: string | null): void {
  const server = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(server)) return;
  const difference = server + 500 - Date.now();
  offset = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
}

/** The time by the server's clock: "the last 15 minutes" ends there, wherever the clock of this machine stands. */
export function serverNow(): number {
  return Date.now() + offset;
}
