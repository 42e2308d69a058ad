/** biome-ignore-all lint/a11y/useSemanticElements: a table cannot hold a virtual list */
/** biome-ignore-all lint/a11y/useFocusableInteractive: the buttons inside of the headings have the focus */
import { Menu } from '@mantine/core';
import {
  IconArrowBarToLeft,
  IconArrowBarToRight,
  IconArrowDown,
  IconArrowsHorizontal,
  IconArrowUp,
  IconChevronDown,
  IconEyeOff,
  IconStack2,
} from '@tabler/icons-react';
import { type DragEvent, type PointerEvent, useState } from 'react';
import type { LogMessage } from '../../lib/messages/index.ts';
import {
  columnWidth,
  fittedWidth,
  type LogColumn,
  movedColumn,
  withoutColumn,
  withWidth,
} from './columns.ts';
import classes from './log-list.module.css';
import { characterWidth } from './row-heights.ts';

/** What headings can do; without it they only name their column. */
export interface ColumnActions {
  /** `timestamp:desc`. */
  readonly onSort: (sort: string) => void;
  readonly onChange: (columns: readonly LogColumn[]) => void;
  readonly onGroup: (field: string) => void;
}

interface ListHeadProps {
  readonly columns: readonly LogColumn[];
  readonly messages: readonly LogMessage[];
  readonly sort: string;
  readonly hasDates: boolean;
  readonly actions: ColumnActions | undefined;
}

const DRAG_TYPE = 'application/x-millrace-column';

export function ListHead({ columns, messages, sort, hasDates, actions }: ListHeadProps) {
  'use memo';
  const [over, setOver] = useState<number>();
  const [, sortField, direction] = /^(.*):(asc|desc)$/s.exec(sort) ?? [];
  const drop = (event: DragEvent, at: number) => {
    setOver(undefined);
    const field = event.dataTransfer.getData(DRAG_TYPE);
    if (field === '') return;
    event.preventDefault();
    actions?.onChange(movedColumn(columns, field, at));
  };
  return (
    <div role="row" className={classes.head} aria-rowindex={1}>
      {columns.map((column, at) => {
        const { field } = column;
        const isSorted = field === sortField;
        const order = direction === 'asc' ? 'ascending' : 'descending';
        return (
          <div
            key={field}
            role="columnheader"
            aria-sort={isSorted ? order : 'none'}
            className={classes.title}
            data-over={over === at}
            onDragOver={(event) => {
              if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
              event.preventDefault();
              setOver(at);
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => drop(event, at)}
          >
            {actions === undefined ? (
              <bdi>{field}</bdi>
            ) : (
              <>
                <button
                  type="button"
                  className={classes.name}
                  title={`Sort by ${field}. Drag to move the column.`}
                  draggable
                  onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, field)}
                  onClick={() =>
                    actions.onSort(`${field}:${isSorted && direction === 'desc' ? 'asc' : 'desc'}`)
                  }
                >
                  <bdi>{field}</bdi>
                  {isSorted && <span aria-hidden="true">{direction === 'asc' ? '↑' : '↓'}</span>}
                </button>
                <ColumnMenu columns={columns} at={at} messages={messages} actions={actions} />
                <Resizer
                  width={columnWidth(column, hasDates)}
                  onResize={(width) => actions.onChange(withWidth(columns, field, width))}
                  onFit={() =>
                    actions.onChange(
                      withWidth(columns, field, fittedWidth(field, messages, characterWidth())),
                    )
                  }
                />
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}

interface ColumnMenuProps {
  readonly columns: readonly LogColumn[];
  readonly at: number;
  readonly messages: readonly LogMessage[];
  readonly actions: ColumnActions;
}

function ColumnMenu({ columns, at, messages, actions }: ColumnMenuProps) {
  const field = columns[at]?.field ?? '';
  const fit = () => withWidth(columns, field, fittedWidth(field, messages, characterWidth()));
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className={classes.menu} aria-label={`Column ${field}`}>
          <IconChevronDown size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconArrowUp size={16} />} onClick={() => actions.onSort(`${field}:asc`)}>
          Sort, smallest first
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown size={16} />} onClick={() => actions.onSort(`${field}:desc`)}>
          Sort, largest first
        </Menu.Item>
        <Menu.Item leftSection={<IconStack2 size={16} />} onClick={() => actions.onGroup(field)}>
          Group by its values
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconArrowsHorizontal size={16} />} onClick={() => actions.onChange(fit())}>
          Fit the width
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowBarToLeft size={16} />}
          disabled={at === 0}
          onClick={() => actions.onChange(movedColumn(columns, field, at - 1))}
        >
          Move left
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowBarToRight size={16} />}
          disabled={at === columns.length - 1}
          onClick={() => actions.onChange(movedColumn(columns, field, at + 1))}
        >
          Move right
        </Menu.Item>
        <Menu.Item
          leftSection={<IconEyeOff size={16} />}
          disabled={columns.length === 1}
          onClick={() => actions.onChange(withoutColumn(columns, field))}
        >
          Hide
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ResizerProps {
  readonly width: number;
  readonly onResize: (width: number) => void;
  readonly onFit: () => void;
}

/** For the mouse; the menu fits a column by keyboard. */
function Resizer({ width, onResize, onFit }: ResizerProps) {
  const [drag, setDrag] = useState<{ readonly x: number; readonly width: number }>();
  const widthAt = (event: PointerEvent) => (drag === undefined ? width : drag.width + event.clientX - drag.x);
  return (
    <div
      className={classes.resizer}
      data-dragging={drag !== undefined}
      aria-hidden="true"
      title="Drag to resize, double-click to fit"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const shown = event.currentTarget.parentElement?.clientWidth ?? width;
        setDrag({ x: event.clientX, width: shown });
      }}
      onPointerMove={(event) => {
        const column = event.currentTarget.parentElement;
        // The line follows the pointer; the rows follow when it is let go.
        if (drag !== undefined && column !== null) {
          event.currentTarget.style.insetInlineStart = `${widthAt(event) - 4}px`;
        }
      }}
      onPointerUp={(event) => {
        event.currentTarget.style.insetInlineStart = '';
        if (drag !== undefined && Math.abs(event.clientX - drag.x) > 2) onResize(widthAt(event));
        setDrag(undefined);
      }}
      onDoubleClick={onFit}
    />
  );
}
