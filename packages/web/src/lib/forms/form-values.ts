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
 * What the server found, by field: `configuration.port` is about the field `port`, `config.entries[0].key` about the
 * field `entries`. The rest is about the whole form.
 */
export function problemsByField(
  fields: readonly FormField[],
  problems: readonly Problem[],
): { readonly byField: Record<string, string>; readonly others: readonly Problem[] } {
  const byField: Record<string, string> = {};
  const others: Problem[] = [];
  for (const problem of problems) {
    const [path = ''] = problem.path.split('[');
    const field = fields.find(({ name }) => path === name || path.endsWith(`.${name}`));
    if (field === undefined) others.push(problem);
    else byField[field.name] ??= problem.message;
  }
  return { byField, others };
}
