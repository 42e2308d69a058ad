import type { Problem } from '../api/index.ts';
import { formatCount } from '../format/index.ts';
import type { FormField, FormValues } from './form-field.ts';

/** What stands in the form at first: what is stored, else the defaults. */
export function initialValues(fields: readonly FormField[], stored: FormValues = {}): FormValues {
  return Object.fromEntries(
    fields.map(({ name, defaultValue }) => [name, Object.hasOwn(stored, name) ? stored[name] : defaultValue]),
  );
}

export function isShown({ dependsOn }: FormField, values: FormValues): boolean {
  return dependsOn === undefined || [dependsOn.value].flat().includes(values[dependsOn.field]);
}

/** Creating sends what is shown and differs from the default, so that what is left out follows the server's defaults. */
export function changedValues(fields: readonly FormField[], values: FormValues): FormValues {
  return valuesOf(
    fields.filter((field) => isShown(field, values) && !isSame(values[field.name], field.defaultValue)),
    values,
  );
}

/** Changing sends everything, since a PUT replaces everything: what is hidden now stays as it is stored. */
export function allValues(
  fields: readonly FormField[],
  values: FormValues,
  stored: FormValues = {},
): FormValues {
  const shown = fields.filter((field) => isShown(field, values));
  const hidden = fields.filter((field) => !isShown(field, values));
  return { ...valuesOf(hidden, stored), ...valuesOf(shown, values) };
}

function valuesOf(fields: readonly FormField[], values: FormValues): FormValues {
  return Object.fromEntries(
    fields
      .map(({ name }): [string, unknown] => [name, values[name]])
      .filter(([, value]) => value !== undefined),
  );
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** What is wrong with a value, as far as that can be known here. */
export function problemOf(field: FormField, value: unknown): string | undefined {
  if (field.kind === 'rows' || field.kind === 'names') return undefined;
  if (isEmpty(value)) return field.isOptional || field.kind === 'boolean' ? undefined : 'This is needed.';
  if (field.kind === 'number') return problemOfNumber(field, value);
  if (field.kind === 'choice') {
    const isOffered = field.choices.length === 0 || field.choices.some((choice) => choice.value === value);
    return isOffered ? undefined : 'Choose one of those that are offered.';
  }
  if (field.maxLength !== undefined && typeof value === 'string' && value.length > field.maxLength) {
    return `At most ${formatCount(field.maxLength)} characters.`;
  }
  if (field.pattern !== undefined && !field.pattern.test.test(String(value).trim())) {
    return field.pattern.problem;
  }
  return undefined;
}

function problemOfNumber({ min, max, isWhole }: FormField, value: unknown): string | undefined {
  const number = Number(value);
  if (!Number.isFinite(number)) return 'This is not a number.';
  if (isWhole && !Number.isInteger(number)) return 'A whole number is needed.';
  if (min !== undefined && number < min) return `At least ${formatCount(min)}.`;
  if (max !== undefined && number > max) return `At most ${formatCount(max)}.`;
  return undefined;
}

/** Every problem by the name of its field. */
export function problemsOf(fields: readonly FormField[], values: FormValues): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const problem = isShown(field, values) ? problemOf(field, values[field.name]) : undefined;
    if (problem !== undefined) problems[field.name] = problem;
  }
  return problems;
}

/**
 * What the server found, by field: `configuration.port` is about the field `port`, `config.entries[0].key` about a cell
 * of the field `entries`, which is then called `entries[0].key`, and `config.headers.Accept` about a name in the field
 * `headers`. The rest is about the whole form.
 */
export function problemsByField(
  fields: readonly FormField[],
  problems: readonly Problem[],
): { readonly byField: Record<string, string>; readonly others: readonly Problem[] } {
  const byField: Record<string, string> = {};
  const others: Problem[] = [];
  for (const { path, message } of problems) {
    const names = fields.filter(({ kind }) => kind === 'names').map(({ name }) => name);
    const found = names.map((name) => partFrom(path, `${name}.`)).find((part) => part !== undefined);
    const [whole = ''] = path.split('[');
    const field = fields.find(({ name }) => whole === name || whole.endsWith(`.${name}`));
    if (found !== undefined) byField[found] ??= message;
    else if (field === undefined) others.push({ path, message });
    else byField[`${field.name}${path.slice(whole.length)}`] ??= message;
  }
  return { byField, others };
}

/** The part of a path that begins with this, which may have other names before it. */
function partFrom(path: string, start: string): string | undefined {
  if (path.startsWith(start)) return path;
  const at = path.indexOf(`.${start}`);
  return at === -1 ? undefined : path.slice(at + 1);
}

/** Whether what is called `entries`, `entries[0].key` or `entries.key` belongs to the field `entries`. */
export function isOfField(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`);
}

export interface AskedProblems {
  /** What the server finds now. */
  readonly found: Readonly<Record<string, string>>;
  /** What it need not find: what is known here, and what it said when the form was sent. */
  readonly lasting: Readonly<Record<string, string>>;
  readonly touched: ReadonlySet<string>;
}

/**
 * What stands in a form after the server was asked: what it found earlier and does not find any more is gone, since another
 * field may have mended it. A new problem is only shown where somebody has been: an empty form is not wrong yet.
 */
export function problemsAfterAsking(
  shown: Readonly<Record<string, string>>,
  { found, lasting, touched }: AskedProblems,
): Record<string, string> {
  const stays = ([path, message]: [string, string]) => lasting[path] === message;
  const isSeen = ([path]: [string, string]) =>
    Object.hasOwn(shown, path) || [...touched].some((name) => isOfField(path, name));
  return Object.fromEntries([
    ...Object.entries(shown).filter(stays),
    ...Object.entries(found).filter(isSeen),
  ]);
}

/** The problems of one field, of the whole of it and of its cells, by their names within it: `[0].key`, `.key`. */
export function problemsWithin(
  problems: Readonly<Record<string, string>>,
  name: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(problems)
      .filter(([path]) => isOfField(path, name))
      .map(([path, message]) => [path.slice(name.length), message]),
  );
}

export interface NamedRow {
  readonly name: string;
  readonly value: string;
}

/**
 * What is wrong with rows that become one object, by cell: what the server said about a name is about the value of its
 * row; names that are there twice and values without a name are found here.
 */
export function problemsOfNames(
  rows: readonly NamedRow[],
  said: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const [path, message] of Object.entries(said)) {
    const at = rows.findIndex(({ name }) => path === `.${name.trim()}`);
    problems[at === -1 ? path : `[${at}].value`] = message;
  }
  const seen = new Set<string>();
  for (const [at, { name, value }] of rows.entries()) {
    const trimmed = name.trim();
    if (seen.has(trimmed)) problems[`[${at}].name`] = 'Another row has this name.';
    if (trimmed === '' && value !== '') problems[`[${at}].name`] = 'This row needs a name.';
    if (trimmed !== '') seen.add(trimmed);
  }
  return problems;
}
