import type { ExtractorRequest, ExtractorTypes, ExtractorView } from '@millrace/contract';
import { type FormField, type FormValues, fieldsFromConfiguration, MORE } from '../../../lib/forms/index.ts';
import { extractorTexts as texts } from './texts.ts';

export type ExtractorType = ExtractorTypes['types'][number];
export type ConverterType = ExtractorTypes['converters'][number];
export type Converters = ExtractorView['converters'];

/** What every extractor has, beside the configuration of its type. */
const COMMON = {
  title: '',
  source_field: 'message',
  target_field: '',
  cut_or_copy: 'copy',
  condition_type: 'none',
  condition_value: '',
};

const field = (name: keyof typeof COMMON, label: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: 'text',
  label,
  help: '',
  defaultValue: COMMON[name],
  isOptional: false,
  choices: [],
  ...more,
});

const choices = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The fields of the form of a type. */
export function fieldsOf(type: ExtractorType): FormField[] {
  const target: Partial<FormField> = type.names_fields
    ? { help: texts.targetOfNaming, isOptional: true, group: MORE }
    : { help: texts.targetHelp };
  return [
    field('title', texts.titleLabel),
    field('source_field', texts.source, { help: texts.sourceHelp }),
    ...fieldsFromConfiguration(type.requested_configuration),
    field('target_field', texts.target, target),
    field('cut_or_copy', texts.cut, { kind: 'choice', help: texts.cutHelp, choices: choices(texts.cuts) }),
    field('condition_type', texts.when, { kind: 'choice', choices: choices(texts.whens) }),
    field('condition_value', texts.whenValue, {
      dependsOn: { field: 'condition_type', value: ['string', 'regex'] },
    }),
  ];
}

/** What was typed so far: what the form of this type has now, and what the forms of other types had. */
export function carriedOver(
  type: ExtractorType,
  before: FormValues | undefined,
  values: FormValues,
): FormValues {
  const own = new Set(fieldsOf(type).map(({ name }) => name));
  const others = Object.entries(before ?? {}).filter(([name]) => !own.has(name));
  return { ...Object.fromEntries(others), ...values };
}

type Edited = Pick<
  ExtractorView,
  | 'title'
  | 'source_field'
  | 'target_field'
  | 'cursor_strategy'
  | 'condition_type'
  | 'condition_value'
  | 'extractor_config'
>;

/** What the form of a stored extractor shows at first. */
export function storedValues(extractor: Edited): FormValues {
  const { title, source_field, target_field, cursor_strategy, condition_type, condition_value } = extractor;
  return {
    ...extractor.extractor_config,
    title,
    source_field,
    target_field,
    cut_or_copy: cursor_strategy,
    condition_type,
    condition_value,
  };
}

/** What is sent: the form knows all fields by their names, the API has those of the type apart. */
export function requestOf(
  type: ExtractorType,
  values: FormValues,
  { converters, order }: { readonly converters: Converters; readonly order: number },
): ExtractorRequest {
  const common: Record<string, unknown> = { ...COMMON };
  const config: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (Object.hasOwn(COMMON, name)) common[name] = value;
    else config[name] = value;
  }
  return {
    ...(common as typeof COMMON & Pick<ExtractorRequest, 'cut_or_copy' | 'condition_type'>),
    extractor_type: type.type,
    extractor_config: config,
    converters,
    order,
  };
}
