/**
 * The fields that a rule gives its events, computed from what was found: `field_spec` and `key_spec` of event definitions.
 * A template reads `source`: the fields of the message, or of an aggregation the fields it groups by and its values.
 */
import { InvalidError } from '#core/index.ts';
import type { AlertRuleRecord } from '#metadata/index.ts';
import {
  asIs,
  parseTemplate,
  type Template,
  templateProblem,
  templateValue,
} from '../notifications/service.ts';

export interface EventFields {
  readonly fields: Readonly<Record<string, string>>;
  /** Undefined if the rule names no fields for it. */
  readonly key: readonly string[] | undefined;
}

export type EventFieldsOf = (source: Readonly<Record<string, unknown>>) => EventFields;

const TEMPLATE_PROVIDER = 'template-v1';
const MAX_FIELDS = 50;
const MAX_VALUE_LENGTH = 4096;
const NAME = /^[A-Za-z0-9_]{1,100}$/;

interface StoredField {
  readonly name: string;
  readonly template: Template;
  /** Without a value there is no field, instead of an empty one. */
  readonly isRequired: boolean;
}

/** Throws `InvalidError` for what cannot be computed. */
export function checkEventFields({ field_spec: fields, key_spec: key }: AlertRuleRecord['extras']): void {
  const names = readFields(fields).map(({ name }) => name);
  const unknown = keyNames(key).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new InvalidError(`key_spec names ${JSON.stringify(unknown)}, which is not in field_spec.`, {
      path: 'key_spec',
    });
  }
}

export function eventFieldsOf({
  field_spec: spec,
  key_spec: keySpec,
}: AlertRuleRecord['extras']): EventFieldsOf {
  const stored = readFields(spec);
  const names = keyNames(keySpec);
  return (source) => {
    const model = { source: templateValue(source) };
    const fields: Record<string, string> = {};
    for (const { name, template, isRequired } of stored) {
      const value = template.render(model, { escape: asIs, timeZone: 'UTC' }).slice(0, MAX_VALUE_LENGTH);
      if (value !== '' || !isRequired) fields[name] = value;
    }
    return { fields, key: names.length === 0 ? undefined : names.map((name) => fields[name] ?? '') };
  };
}

function keyNames(spec: unknown): string[] {
  return Array.isArray(spec) ? spec.map(String) : [];
}

function readFields(spec: unknown): StoredField[] {
  const entries = Object.entries(typeof spec === 'object' && spec !== null ? spec : {});
  if (entries.length > MAX_FIELDS) {
    throw new InvalidError(`field_spec has more than ${MAX_FIELDS} fields.`, { path: 'field_spec' });
  }
  return entries.map(([name, value]) => readField(name, value));
}

function readField(name: string, value: unknown): StoredField {
  const path = `field_spec.${name.slice(0, 100)}`;
  if (!NAME.test(name)) {
    throw new InvalidError(`${path}: a field has a name of up to 100 letters, digits and _.`, { path });
  }
  const { providers } = (value ?? {}) as { providers?: unknown };
  const [provider, ...more] = Array.isArray(providers) ? (providers as Record<string, unknown>[]) : [];
  if (provider?.type !== TEMPLATE_PROVIDER || more.length > 0) {
    const given = provider === undefined ? 'nothing' : JSON.stringify(provider.type ?? null).slice(0, 100);
    throw new InvalidError(
      `${path}: needs one provider of the type "${TEMPLATE_PROVIDER}", not ${more.length > 0 ? 'several' : given}. Lookup tables do not exist here.`,
      { path },
    );
  }
  const template = typeof provider.template === 'string' ? provider.template.slice(0, 10_000) : '';
  const problem = templateProblem(template);
  if (problem !== undefined) throw new InvalidError(`${path}: the template ${problem}`, { path });
  return { name, template: parseTemplate(template), isRequired: provider.require_values === true };
}

/** What templates read of an aggregation: the fields it groups by, and `aggregation_value_avg_took_ms` for `avg(took_ms)`. */
export function aggregationSource(
  groupBy: readonly string[],
  {
    key,
    values,
  }: { readonly key: readonly string[]; readonly values: Readonly<Record<string, number | null>> },
): Record<string, unknown> {
  const figures = Object.entries(values).map(([id, value]) => {
    const name = id.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');
    return [`aggregation_value_${name}`, value] as const;
  });
  return Object.fromEntries([...groupBy.map((field, at) => [field, key[at] ?? ''] as const), ...figures]);
}
