import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePreferences } from '../../../lib/account/index.ts';
import { fieldsQuery, messagesQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import type { SearchState } from '../use-search.ts';
import { FieldItem } from './field-item.tsx';
import { fieldSections } from './field-names.ts';
import classes from './fields.module.css';
import { MAX_FIELDS } from './queries.ts';

const ROW_HEIGHT = 24;
const FACET_HEIGHT = 150;
/** Of an open field, and with each wish for more. */
const FIRST_VALUES = 10;
const MORE_TIMES = 10;

type Line = { readonly title: string } | { readonly name: string };

/** The fields of the messages, each with its most frequent values. Ten thousand names are no problem. */
export function FieldSidebar({ search }: { readonly search: SearchState }) {
  'use memo';
  const { data: known, error, refetch } = useQuery(fieldsQuery);
  const { data } = useInfiniteQuery(messagesQuery(search.run));
  const [{ favouriteFields }] = usePreferences();
  const [find, setFind] = useState('');
  const [open, setOpen] = useState<readonly string[]>(['level', 'source']);
  const [sizes, setSizes] = useState<ReadonlyMap<string, number>>(new Map());
  const types = useMemo(() => new Map((known ?? []).map(({ name, type }) => [name, type.type])), [known]);
  const lines = useMemo(
    () =>
      fieldSections(
        (known ?? []).map(({ name }) => name),
        (data?.pages ?? []).slice(0, 1).flatMap(({ fields }) => fields),
        favouriteFields,
        find,
      ).flatMap(({ title, names }): Line[] => [{ title }, ...names.map((name) => ({ name }))]),
    [known, data, favouriteFields, find],
  );
  const toggle = (name: string) => {
    setOpen(
      open.includes(name) ? open.filter((other) => other !== name) : [...open, name].slice(-MAX_FIELDS),
    );
    setSizes(new Map([...sizes].filter(([other]) => other !== name)));
  };
  return (
    <aside className={classes.sidebar} aria-label={texts.fields}>
      <TextInput
        className={classes.find}
        size="xs"
        aria-label={texts.findField}
        placeholder={texts.findField}
        leftSection={<IconSearch size={14} />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <FieldLines
        lines={lines}
        open={open}
        sizes={sizes}
        types={types}
        search={search}
        onToggle={toggle}
        onMore={(name) =>
          setSizes(new Map([...sizes, [name, MORE_TIMES * (sizes.get(name) ?? FIRST_VALUES)]]))
        }
      />
      {lines.length === 0 && find !== '' && <p className={classes.hint}>{texts.noField}</p>}
    </aside>
  );
}

interface FieldLinesProps {
  readonly lines: readonly Line[];
  readonly open: readonly string[];
  /** How many values are shown, where somebody asked for more. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, string>;
  readonly search: SearchState;
  readonly onToggle: (name: string) => void;
  readonly onMore: (name: string) => void;
}

function FieldLines({ lines, open, sizes, types, search, onToggle, onMore }: FieldLinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => {
      const line = lines[at];
      return line !== undefined && 'name' in line && open.includes(line.name)
        ? ROW_HEIGHT + FACET_HEIGHT
        : ROW_HEIGHT;
    },
    getItemKey: (at) => keyOf(lines[at]),
    overscan: 10,
  });
  return (
    <div ref={scroller} className={classes.scroller}>
      <ul className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.item}
              style={{ transform: `translateY(${start}px)` }}
            >
              {'title' in line ? (
                <h2 className={classes.section}>{line.title}</h2>
              ) : (
                <FieldItem
                  name={line.name}
                  type={types.get(line.name)}
                  isOpen={open.includes(line.name)}
                  search={search}
                  onToggle={() => onToggle(line.name)}
                  size={sizes.get(line.name) ?? FIRST_VALUES}
                  onMore={() => onMore(line.name)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function keyOf(line: Line | undefined): string {
  if (line === undefined) return '';
  return 'title' in line ? `section ${line.title}` : `field ${line.name}`;
}
