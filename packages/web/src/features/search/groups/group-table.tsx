import { ActionIcon } from '@mantine/core';
import { IconMinus } from '@tabler/icons-react';
import { formatCount, formatShare } from '../../../lib/format/index.ts';
import classes from './groups.module.css';
import { type Metric, metricTitle } from './metrics.ts';
import type { GroupRow } from './queries.ts';

interface GroupTableProps {
  readonly fields: readonly string[];
  readonly metrics: readonly Metric[];
  readonly rows: readonly GroupRow[];
  readonly labelOf: (field: string, value: string) => string;
  readonly onInclude: (row: GroupRow) => void;
  readonly onExclude: (row: GroupRow) => void;
}

/** The groups with their figures, and a bar for the first one. */
export function GroupTable({ fields, metrics, rows, labelOf, onInclude, onExclude }: GroupTableProps) {
  const highest = Math.max(1, ...rows.map(({ figures }) => figures[0] ?? 0));
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label="Groups">
        <thead>
          <tr>
            {fields.map((field) => (
              <th key={field} scope="col">
                <bdi>{field}</bdi>
              </th>
            ))}
            {metrics.map((metric) => (
              <th key={metric.text} scope="col" data-align="end">
                {metricTitle(metric)}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const name = row.values.map((value, at) => labelOf(fields[at] ?? '', value)).join(', ');
            return (
              <tr key={row.key}>
                {row.values.map((value, at) => (
                  <td key={fields[at]}>
                    {at === 0 ? (
                      <button
                        type="button"
                        className={classes.value}
                        aria-label={name}
                        onClick={() => onInclude(row)}
                      >
                        <bdi>{labelOf(fields[at] ?? '', value)}</bdi>
                      </button>
                    ) : (
                      <bdi>{labelOf(fields[at] ?? '', value)}</bdi>
                    )}
                  </td>
                ))}
                {metrics.map((metric, at) => (
                  <td key={metric.text} data-align="end">
                    {at === 0 && (
                      <span
                        className={classes.bar}
                        style={{ inlineSize: `${((row.figures[0] ?? 0) / highest) * 100}%` }}
                      />
                    )}
                    <span className={classes.figure}>{formatFigure(metric, row.figures[at])}</span>
                  </td>
                ))}
                <td data-align="end">
                  <ActionIcon size={24} aria-label={`Exclude ${name}`} onClick={() => onExclude(row)}>
                    <IconMinus size={14} />
                  </ActionIcon>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const decimals = new Intl.NumberFormat('en', { maximumSignificantDigits: 6, useGrouping: false });

function formatFigure({ kind }: Metric, figure: number | undefined): string {
  if (figure === undefined) return '–';
  if (kind === 'percentage') return formatShare(figure);
  return Number.isInteger(figure) ? formatCount(figure) : decimals.format(figure);
}
