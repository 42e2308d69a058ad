/** As many as there are colours. */
export const MAX_SERIES = 6;

export interface ChartSeries {
  readonly name: string;
  /** Undefined where there is no figure. */
  readonly values: readonly (number | undefined)[];
}

export interface TimeChartProps {
  /** What it shows; a table with the figures stands beside it. */
  readonly title: string;
  /** Texts of the horizontal axis. */
  readonly categories: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly kind: 'bar' | 'line';
}
