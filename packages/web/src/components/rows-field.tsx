import { ActionIcon, Button, PasswordInput, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { FormField } from '../lib/forms/index.ts';
import classes from './rows-field.module.css';

type Row = Readonly<Record<string, unknown>>;

/** What the server shows instead of a secret; sent back, it keeps the secret. */
const KEPT = '<password set>';
/** Thousands of text boxes would make the page slow. */
const SHOWN_AT_ONCE = 100;

export interface RowsFieldProps {
  readonly field: FormField;
  readonly rows: readonly Row[];
  readonly problem: string | undefined;
  readonly onChange: (rows: readonly Row[]) => void;
}

/** A list of small objects, such as keys with their values: a row for each. */
export function RowsField({ field, rows, problem, onChange }: RowsFieldProps) {
  const { label, help, fields = [] } = field;
  const [most, setMost] = useState(SHOWN_AT_ONCE);
  const id = useId();
  const add = () => {
    setMost(Math.max(most, rows.length + 1));
    onChange([...rows, Object.fromEntries(fields.map(({ name }) => [name, '']))]);
  };
  const set = (at: number, name: string, value: string) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [name]: value } : row)));
  return (
    <fieldset className={classes.rows} aria-describedby={id}>
      <legend>{label}</legend>
      {rows.slice(0, most).map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place only
        <div key={at} className={classes.row}>
          {fields.map((each) => (
            <Cell
              key={each.name}
              field={each}
              label={`${each.label} ${at + 1}`}
              value={String(row[each.name] ?? '')}
              onChange={(value) => set(at, each.name, value)}
            />
          ))}
          <Tooltip label={`Remove row ${at + 1}`}>
            <ActionIcon
              aria-label={`Remove row ${at + 1} of ${label}`}
              onClick={() => onChange(rows.filter((_, index) => index !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <div className={classes.buttons}>
        <Button leftSection={<IconPlus size={16} />} onClick={add} aria-label={`Add a row to ${label}`}>
          Add a row
        </Button>
        {rows.length > most && (
          <Button onClick={() => setMost(most + SHOWN_AT_ONCE)}>{`Show more (${rows.length - most})`}</Button>
        )}
      </div>
      <p id={id} className={classes.help}>
        {help}
      </p>
      {problem !== undefined && <p className={classes.problem}>{problem}</p>}
    </fieldset>
  );
}

interface CellProps {
  readonly field: FormField;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Cell({ field, label, value, onChange }: CellProps) {
  if (field.kind !== 'secret') {
    return (
      <TextInput
        aria-label={label}
        placeholder={field.label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <PasswordInput
      aria-label={label}
      placeholder={value === KEPT ? '••••••••' : field.label}
      autoComplete="new-password"
      value={value === KEPT ? '' : value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const NAME = 'name';
const VALUE = 'value';
const cell = (name: string, label: string): FormField => ({
  name,
  kind: 'text',
  label,
  help: '',
  defaultValue: '',
  isOptional: false,
  choices: [],
});
const PAIR = [cell(NAME, 'Name'), cell(VALUE, 'Value')];

export interface NamesFieldProps {
  readonly field: FormField;
  readonly value: unknown;
  readonly problem: string | undefined;
  readonly onChange: (value: Row) => void;
}

/** An object whose names are chosen freely. Rows without a name wait until they have one. */
export function NamesField({ field, value, problem, onChange }: NamesFieldProps) {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(value ?? {}).map(([name, each]) => ({ [NAME]: name, [VALUE]: each })),
  );
  const change = (next: readonly Row[]) => {
    setRows(next);
    const named = next.map((row) => [String(row[NAME]).trim(), row[VALUE]] as const);
    onChange(Object.fromEntries(named.filter(([name]) => name !== '')));
  };
  return <RowsField field={{ ...field, fields: PAIR }} rows={rows} problem={problem} onChange={change} />;
}
