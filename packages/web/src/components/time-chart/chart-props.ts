export interface ChartSeries {
  readonly name: string;
  readonly values: readonly number[];
}

export interface TimeChartProps {
  /** What it shows, for people who do not see it; a table with the same figures stands beside it. */
  readonly label: string;
  /** Texts of the horizontal axis. */
  readonly categories: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly kind: 'bar' | 'line';
}
