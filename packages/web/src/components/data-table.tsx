import { Checkbox } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
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
  /** CSS width that it keeps where there is little room. */
  readonly minWidth?: string;
  /** Left out where there is no room: on a phone, or already on a small screen. */
  readonly isMinor?: boolean | 'small-screen';
  /** Buttons of the row: the heading is not shown, a click does not open the row. */
  readonly isActions?: boolean;
  /** The heading sorts. */
  readonly isSortable?: boolean;
}

export interface TableSort {
  /** The key of a column. */
  readonly column: string;
  readonly order: 'asc' | 'desc';
}

export interface TableSelection<Row> {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
  /** For people who do not see the row: "Select Web errors". */
  readonly labelOf: (row: Row) => string;
  readonly isSelectable?: (row: Row) => boolean;
}

export interface DataTableProps<Row> {
  /** What the table is, for people who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The whole row is a button then; the first column should be a link to the same place, for the keyboard. */
  readonly onOpen?: (row: Row) => void;
  readonly sort?: TableSort | undefined;
  readonly onSort?: (sort: TableSort) => void;
  readonly selection?: TableSelection<Row> | undefined;
  /** What belongs to a row and stands below it: a question, an error. */
  readonly below?: (row: Row) => ReactNode;
}

/** A click on a control inside of a row is for that control. */
function isForRow(event: MouseEvent<HTMLElement>): boolean {
  return !(event.target as HTMLElement).closest('a, button, input, label, [role="menu"]');
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, onOpen, selection, below } = props;
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label}>
        <Head {...props} />
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row);
            const extra = below?.(row);
            const hasExtra = extra !== undefined && extra !== null && extra !== false;
            return [
              <tr
                key={key}
                data-clickable={onOpen !== undefined}
                data-selected={selection?.keys.has(key)}
                onClick={(event) => isForRow(event) && onOpen?.(row)}
              >
                {selection !== undefined && <SelectCell row={row} rowKey={key} selection={selection} />}
                {columns.map((column) => (
                  <td
                    key={column.key}
                    data-align={column.align}
                    data-minor={column.isMinor}
                    data-actions={column.isActions}
                  >
                    {column.render(row)}
                  </td>
                ))}
              </tr>,
              hasExtra && (
                <tr key={`${key} below`} data-below="true">
                  <td colSpan={columns.length + (selection === undefined ? 0 : 1)}>{extra}</td>
                </tr>
              ),
            ];
          })}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ columns, rows, rowKey, sort, onSort, selection }: DataTableProps<Row>) {
  return (
    <thead>
      <tr>
        {selection !== undefined && <SelectAll rows={rows} rowKey={rowKey} selection={selection} />}
        {columns.map((column) => {
          const { key, title, align, width, minWidth, isMinor, isActions, isSortable } = column;
          const order = sort?.column === key ? sort.order : undefined;
          return (
            <th
              key={key}
              scope="col"
              data-align={align}
              data-minor={isMinor}
              aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
              style={{ '--column-width': width, '--column-min-width': minWidth } as CSSProperties}
            >
              {isSortable ? (
                <button
                  type="button"
                  className={classes.sort}
                  onClick={() => onSort?.({ column: key, order: order === 'asc' ? 'desc' : 'asc' })}
                >
                  {title}
                  {order === 'asc' && <IconChevronUp size={12} aria-hidden="true" />}
                  {order === 'desc' && <IconChevronDown size={12} aria-hidden="true" />}
                </button>
              ) : isActions ? (
                <span className="visually-hidden">{title}</span>
              ) : (
                title
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface SelectAllProps<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly selection: TableSelection<Row>;
}

function SelectAll<Row>({ rows, rowKey, selection }: SelectAllProps<Row>) {
  const { keys, onChange, isSelectable = () => true } = selection;
  const selectable = rows.filter(isSelectable).map(rowKey);
  const chosen = selectable.filter((key) => keys.has(key)).length;
  const isAll = chosen > 0 && chosen === selectable.length;
  return (
    <th scope="col" className={classes.select}>
      <Checkbox
        aria-label="Select all of this page"
        checked={isAll}
        indeterminate={chosen > 0 && !isAll}
        disabled={selectable.length === 0}
        onChange={() => onChange(new Set(isAll ? [] : selectable))}
      />
    </th>
  );
}

interface SelectCellProps<Row> {
  readonly row: Row;
  readonly rowKey: string;
  readonly selection: TableSelection<Row>;
}

function SelectCell<Row>({ row, rowKey, selection }: SelectCellProps<Row>) {
  const { keys, onChange, labelOf, isSelectable = () => true } = selection;
  const toggle = () => {
    const next = new Set(keys);
    if (!next.delete(rowKey)) next.add(rowKey);
    onChange(next);
  };
  return (
    <td className={classes.select}>
      <Checkbox
        aria-label={labelOf(row)}
        checked={keys.has(rowKey)}
        disabled={!isSelectable(row)}
        onChange={toggle}
      />
    </td>
  );
}
