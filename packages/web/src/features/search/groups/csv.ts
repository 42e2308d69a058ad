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

/** Gives a text to the browser as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
