import { Button, TextInput } from '@mantine/core';
import {
  IconColumnInsertRight,
  IconColumnRemove,
  IconSearch,
  IconStar,
  IconStarFilled,
} from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { formatCount } from '../lib/format/index.ts';
import { type LogMessage, orderedFieldNames, scalarsOf } from '../lib/messages/index.ts';
import { FieldValue, type FieldValueProps } from './field-value.tsx';
import { IconTool } from './icon-tool.tsx';
import classes from './message-detail.module.css';

/** A value by its field and its place in a list. */
export interface ChosenValue {
  readonly field: string;
  readonly at: number;
}

export interface DetailFieldsProps extends Pick<FieldValueProps, 'actions' | 'titleOf' | 'linksOf'> {
  readonly message: LogMessage;
  readonly columns?: readonly string[] | undefined;
  readonly onToggleColumn?: ((field: string) => void) | undefined;
  readonly favourites?: readonly string[];
  readonly onToggleFavourite?: ((field: string) => void) | undefined;
  /** More buttons beside the name of a field. */
  readonly renderTools?: ((field: string) => ReactNode) | undefined;
  readonly chosen?: ChosenValue | undefined;
}

/** A message with more fields gets a box to find one, and shows the first of them. */
const MANY_FIELDS = 30;
const SHOWN_FIELDS = 200;
/** As many as have room at first; the others follow when these are on the screen. */
const FIRST_FIELDS = 30;
const NO_FAVOURITES: readonly string[] = [];

export function DetailFields(props: DetailFieldsProps) {
  'use memo';
  const { message, favourites = NO_FAVOURITES } = props;
  const [find, setFind] = useState('');
  const [limit, setLimit] = useState(SHOWN_FIELDS);
  const shown = useDeferredValue(limit, FIRST_FIELDS);
  const all = detailFieldNames(message, favourites);
  const wanted = find.trim().toLowerCase();
  const names = wanted === '' ? all : all.filter((name) => name.toLowerCase().includes(wanted));
  return (
    <>
      {all.length > MANY_FIELDS && (
        <TextInput
          className={classes.find}
          size="xs"
          aria-label="Find a field of this message"
          placeholder={`Find one of ${formatCount(all.length)} fields`}
          leftSection={<IconSearch size={14} />}
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
        />
      )}
      <dl className={classes.fields}>
        {names.slice(0, shown).map((field) => (
          <div key={field} className={classes.field} data-field-row>
            <dt className={classes.name}>
              <bdi title={field}>{field}</bdi>
              <FieldTools {...props} field={field} isFavourite={favourites.includes(field)} />
            </dt>
            <dd className={classes.values}>
              <Values {...props} field={field} />
            </dd>
          </div>
        ))}
      </dl>
      {names.length > limit && (
        <Button size="xs" onClick={() => setLimit(limit * 10)}>
          Show more of {formatCount(names.length)} fields
        </Button>
      )}
    </>
  );
}

/** Favourites first. */
export function detailFieldNames({ fields }: LogMessage, favourites: readonly string[]): string[] {
  const ordered = orderedFieldNames(fields);
  const first = favourites.filter((name) => Object.hasOwn(fields, name));
  return [...first, ...ordered.filter((name) => !first.includes(name))];
}

function Values({
  field,
  message,
  actions,
  titleOf,
  linksOf,
  chosen,
}: DetailFieldsProps & { field: string }) {
  'use memo';
  const value = message.fields[field];
  const scalars = scalarsOf(value);
  if (scalars.length === 0) return <code>{JSON.stringify(value)}</code>;
  return scalars.map((scalar, at) => (
    <FieldValue
      // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold the same value twice
      key={at}
      field={field}
      value={scalar}
      marks={Array.isArray(value) ? undefined : message.marks[field]}
      actions={actions}
      titleOf={titleOf}
      linksOf={linksOf}
      isChosen={chosen?.field === field && chosen.at === at}
    />
  ));
}

interface FieldToolsProps extends DetailFieldsProps {
  readonly field: string;
  readonly isFavourite: boolean;
}

function FieldTools(props: FieldToolsProps) {
  'use memo';
  const { field, columns, onToggleColumn, isFavourite, onToggleFavourite, renderTools } = props;
  const isShown = columns?.includes(field) ?? false;
  return (
    <span className={classes.tools}>
      {onToggleFavourite !== undefined && (
        <IconTool
          className={classes.tool}
          label={isFavourite ? `No longer show ${field} first` : `Show ${field} first`}
          isOn={isFavourite}
          onClick={() => onToggleFavourite(field)}
        >
          {isFavourite ? <IconStarFilled size={14} /> : <IconStar size={14} />}
        </IconTool>
      )}
      {onToggleColumn !== undefined && (
        <IconTool
          className={classes.tool}
          label={isShown ? `Hide the column ${field}` : `Show ${field} as a column`}
          onClick={() => onToggleColumn(field)}
        >
          {isShown ? <IconColumnRemove size={14} /> : <IconColumnInsertRight size={14} />}
        </IconTool>
      )}
      {renderTools?.(field)}
    </span>
  );
}
