import { ActionIcon, Button, PasswordInput, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { type FormField, problemsOfNames } from '../lib/forms/index.ts';
import classes from './rows-field.module.css';

type Row = Readonly<Record<string, unknown>>;

/** What the server shows instead of a secret; sent back, it keeps the secret. */
const KEPT = '<password set>';
/** Thousands of text boxes would make the page slow. */
const SHOWN_AT_ONCE = 100;

export interface RowsFieldProps {
  readonly field: FormField;
  readonly rows: readonly Row[];
  /** Of the whole field (by an empty name) and of its cells: `[0].key`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (rows: readonly Row[]) => void;
}

/** A list of small objects, such as keys with their values: a row for each. */
export function RowsField({ field, rows, problems, onChange }: RowsFieldProps) {
  const { label, help, fields = [] } = field;
  const [most, setMost] = useState(SHOWN_AT_ONCE);
  // A row stays itself when one above it is removed.
  const [keys, setKeys] = useState(() => rows.map((_, at) => at));
  const id = useId();
  const add = () => {
    setMost(Math.max(most, rows.length + 1));
    setKeys([...keys, Math.max(-1, ...keys) + 1]);
    onChange([...rows, Object.fromEntries(fields.map(({ name }) => [name, '']))]);
  };
  const remove = (at: number) => {
    setKeys(keys.filter((_, index) => index !== at));
    onChange(rows.filter((_, index) => index !== at));
  };
  const { cells, others } = dealtOut(problems, rows.length, fields);
  const shown = Math.max(most, ...[...cells.keys()].map((at) => at + 1));
  const set = (at: number, name: string, value: string) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [name]: value } : row)));
  return (
    <fieldset className={classes.rows} aria-describedby={id}>
      <legend>{label}</legend>
      {rows.slice(0, shown).map((row, at) => (
        <div key={keys[at]} className={classes.row}>
          {fields.map((each) => (
            <Cell
              key={each.name}
              field={each}
              label={`${each.label} ${at + 1}`}
              value={String(row[each.name] ?? '')}
              problem={cells.get(at)?.[each.name]}
              onChange={(value) => set(at, each.name, value)}
            />
          ))}
          <Tooltip label={`Remove row ${at + 1}`}>
            <ActionIcon aria-label={`Remove row ${at + 1} of ${label}`} onClick={() => remove(at)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <div className={classes.buttons}>
        <Button
          leftSection={<IconPlus size={16} />}
          onClick={add}
          aria-label={`Add a row to ${label}`}
          {...(others.length > 0 && { 'aria-describedby': `${id}-problem`, 'data-wrong': true })}
        >
          Add a row
        </Button>
        {rows.length > shown && (
          <Button
            onClick={() => setMost(shown + SHOWN_AT_ONCE)}
          >{`Show more (${rows.length - shown})`}</Button>
        )}
      </div>
      <p id={id} className={classes.help}>
        {help}
      </p>
      {others.length > 0 && (
        <p id={`${id}-problem`} className={classes.problem}>
          {others.join(' ')}
        </p>
      )}
    </fieldset>
  );
}

const CELL = /^\[(\d+)\]\.(.+)$/;

/** Problems by row and column; what is about no cell that is here is about the whole field. */
function dealtOut(
  problems: Readonly<Record<string, string>>,
  rowCount: number,
  columns: readonly Pick<FormField, 'name'>[],
) {
  const cells = new Map<number, Record<string, string>>();
  const others: string[] = [];
  for (const [path, message] of Object.entries(problems)) {
    const [, at = '', column = ''] = CELL.exec(path) ?? [];
    const isCell = at !== '' && Number(at) < rowCount && columns.some(({ name }) => name === column);
    if (isCell) cells.set(Number(at), { ...cells.get(Number(at)), [column]: message });
    else others.push(message);
  }
  return { cells, others };
}

interface CellProps {
  readonly field: FormField;
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function Cell({ field, label, value, problem, onChange }: CellProps) {
  const [wasKept] = useState(value === KEPT);
  if (field.kind !== 'secret') {
    return (
      <TextInput
        aria-label={label}
        error={problem}
        placeholder={field.label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <PasswordInput
      aria-label={label}
      error={problem}
      placeholder={value === KEPT ? '••••••••' : field.label}
      autoComplete="new-password"
      value={value === KEPT ? '' : value}
      // A stored secret stays until somebody types another one; its row is removed to be rid of it.
      onChange={({ currentTarget: { value: typed } }) => onChange(typed === '' && wasKept ? KEPT : typed)}
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
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (value: Row) => void;
}

/** An object whose names are chosen freely. It is not sent while two rows have the same name, or one has none. */
export function NamesField({ field, value, problems, onChange }: NamesFieldProps) {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(value ?? {}).map(([name, each]) => ({ [NAME]: name, [VALUE]: each })),
  );
  const change = (next: readonly Row[]) => {
    setRows(next);
    const named = next.map((row) => [String(row[NAME]).trim(), row[VALUE]] as const);
    onChange(Object.fromEntries(named.filter(([name]) => name !== '')));
  };
  const named = rows.map((row) => ({ name: String(row[NAME]), value: String(row[VALUE]) }));
  const guard = useRef<HTMLInputElement>(null);
  const [why = ''] = Object.values(problemsOfNames(named));
  // The form asks its controls whether they can be sent.
  useEffect(() => guard.current?.setCustomValidity(why), [why]);
  return (
    <>
      <RowsField
        field={{ ...field, fields: PAIR }}
        rows={rows}
        problems={problemsOfNames(named, problems)}
        onChange={change}
      />
      <input ref={guard} type="text" hidden tabIndex={-1} aria-hidden="true" />
    </>
  );
}
