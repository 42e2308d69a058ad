import type { CSSProperties, MouseEvent, ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column. */
  readonly align?: 'start' | 'end';
  /** CSS width; the others share what is left. */
  readonly width?: string;
  /** Left out where there is no room, on a phone. */
  readonly isMinor?: boolean;
  /** Buttons of the row: the heading is not shown, a click does not open the row. */
  readonly isActions?: boolean;
}

export interface DataTableProps<Row> {
  /** What the table is, for people who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The whole row is a button then; the first column should be a link to the same place, for the keyboard. */
  readonly onOpen?: (row: Row) => void;
}

/** A click on a control inside of a row is for that control. */
function isForRow(event: MouseEvent<HTMLElement>): boolean {
  return !(event.target as HTMLElement).closest('a, button, input, label, [role="menu"]');
}

export function DataTable<Row>({ label, columns, rows, rowKey, onOpen }: DataTableProps<Row>) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key, title, align, width, isMinor, isActions }) => (
              <th
                key={key}
                scope="col"
                data-align={align}
                data-minor={isMinor}
                style={{ '--column-width': width } as CSSProperties}
              >
                {isActions ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              data-clickable={onOpen !== undefined}
              onClick={(event) => isForRow(event) && onOpen?.(row)}
            >
              {columns.map(({ key, render, align, isMinor, isActions }) => (
                <td key={key} data-align={align} data-minor={isMinor} data-actions={isActions}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
