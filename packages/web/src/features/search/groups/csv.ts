/** A table for spreadsheets. Texts that they would take for formulas get an apostrophe, as in exports. */
export function csvOf(head: readonly string[], rows: readonly (readonly (string | number | undefined)[])[]) {
  return [head, ...rows].map((cells) => cells.map(cellOf).join(',')).join('\r\n');
}

function cellOf(cell: string | number | undefined): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
