import type { InputType } from '@millrace/contract';
import { type FormField, MORE } from './form-field.ts';

type Field = InputType['requested_configuration'][string];

/** A field of this server, or of a plugin that says no more than Graylog does. */
type Described = Omit<Field, 'order' | 'is_secret'> & Partial<Pick<Field, 'order' | 'is_secret'>>;

export type RequestedConfiguration = Readonly<Record<string, Described>>;

const MAX_PORT = 65_535;
const KINDS: Readonly<Record<string, FormField['kind']>> = {
  number: 'number',
  boolean: 'boolean',
  dropdown: 'choice',
  list: 'list',
  object: 'names',
};

/** Fields of Graylog's `requested_configuration`. An unknown type is a text box: a plugin is never without a form. */
export function fieldsFromConfiguration(configuration: RequestedConfiguration): FormField[] {
  const described = Object.entries(configuration);
  const hasGroups = described.some(([, { group }]) => group !== undefined);
  return described
    .map(([name, field], index) => ({ name, field, order: field.order ?? index }))
    .sort((a, b) => a.order - b.order)
    .map(({ name, field }) => toFormField(name, field, hasGroups));
}

function toFormField(name: string, field: Described, hasGroups: boolean): FormField {
  const isPort = field.attributes.includes('is_port_number');
  const isPositive = field.attributes.includes('only_positive');
  return {
    name,
    kind: kindOf(field),
    label: field.human_name,
    help: field.description,
    defaultValue: isPlaceholderNumber(field) ? undefined : field.default_value,
    isOptional: field.is_optional,
    choices: Object.entries(field.additional_info.values ?? {}).map(([value, label]) => ({ value, label })),
    min: field.min ?? (isPort || isPositive ? 0 : undefined),
    max: field.max ?? (isPort ? MAX_PORT : undefined),
    isWhole: isPort || undefined,
    unit: field.unit,
    placeholder: field.placeholder,
    group: hasGroups ? field.group : field.is_optional ? MORE : undefined,
    dependsOn: field.depends_on,
    ...(field.fields === undefined ? {} : { fields: fieldsFromConfiguration(field.fields) }),
  };
}

/** Graylog's descriptors have no way to say "not set" for a number: a 0 that would not be allowed stands for it. */
function isPlaceholderNumber({ is_optional, default_value, min }: Described): boolean {
  return is_optional && default_value === 0 && min !== undefined && min > 0;
}

function kindOf({ type, attributes, fields }: Described): FormField['kind'] {
  if (type === 'list' && fields !== undefined) return 'rows';
  if (attributes.includes('is_password')) return 'secret';
  if (attributes.includes('textarea')) return 'textarea';
  return KINDS[type] ?? 'text';
}
