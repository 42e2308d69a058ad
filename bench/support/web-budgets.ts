/** What the web interface may cost, and a table of what it did cost. */
export interface Budget {
  readonly name: string;
  readonly limit: number;
  readonly unit: string;
}

export const BUDGETS = {
  coldPaint: { name: 'first paint of /search, cold', limit: 1500, unit: 'ms' },
  warmPaint: { name: 'first paint of /search, warm', limit: 500, unit: 'ms' },
  bundle: { name: 'JavaScript before lazy parts, gzipped', limit: 400, unit: 'kB' },
  keyToPaint: { name: 'key to paint with 5000 fields known, p95', limit: 50, unit: 'ms' },
  runToRows: { name: "run to first rows beyond the API's time, median", limit: 60, unit: 'ms' },
  framesP95: { name: '100 000 rows: frame p95', limit: 33, unit: 'ms' },
  heap: { name: '100 000 rows: heap', limit: 300, unit: 'MB' },
  domRows: { name: '100 000 rows: rows in the DOM', limit: 80, unit: 'rows' },
  expandRow: { name: 'expand a row, median', limit: 50, unit: 'ms' },
  changePage: { name: 'change page, median', limit: 100, unit: 'ms' },
  tailCpu: { name: 'tail at 1000 a second: CPU of the page', limit: 30, unit: '% of a core' },
  layoutShift: { name: 'layout shift, the worst page', limit: 0.02, unit: '' },
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof BUDGETS;

/** A line with the figure, its budget, and whether it was missed. */
export function budgetLine(name: BudgetName, value: number): string {
  const { name: title, limit, unit } = BUDGETS[name];
  const shown = (number: number) => `${Number(number.toFixed(number < 1 ? 3 : 1))} ${unit}`.trim();
  const verdict = value <= limit ? '' : '  missed';
  return `${title.padEnd(50)} ${shown(value).padStart(18)}   budget ${shown(limit)}${verdict}`;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
