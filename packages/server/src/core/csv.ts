/** One cell, always in quotes. */
export function csvCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Ends with a line feed. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}
