/** The form of an index set: fields that all have, and those that each strategy describes. */
import type { IndexSetView, StrategyView } from '@millrace/contract';
import { ApiError, type Problem } from '../../lib/api/index.ts';
import { type FormField, type FormValues, fieldsFromJsonSchema } from '../../lib/forms/index.ts';
import { texts } from './texts.ts';

export interface Strategies {
  readonly rotation: readonly StrategyView[];
  readonly retention: readonly StrategyView[];
}

const KINDS = ['rotation', 'retention'] as const;
type Kind = (typeof KINDS)[number];

/** As the server checks it. */
const PREFIX = /^[a-z0-9][a-z0-9_+-]*$/;

const PLAIN: Omit<FormField, 'name' | 'label' | 'kind'> = {
  help: '',
  defaultValue: '',
  isOptional: false,
  choices: [],
};

/** Two strategies may have fields of the same name, so each has the strategy in its name. */
const nameOf = (kind: Kind, strategy: string, field: string) => `${kind} ${strategy} ${field}`;

export function setFields(strategies: Strategies, set: IndexSetView | undefined): FormField[] {
  return [
    { ...PLAIN, name: 'title', kind: 'text', label: texts.name, maxLength: 200 },
    {
      ...PLAIN,
      name: 'description',
      kind: 'text',
      label: texts.description,
      isOptional: true,
      maxLength: 2000,
    },
    ...(set === undefined
      ? [
          {
            ...PLAIN,
            name: 'index_prefix',
            kind: 'text',
            label: texts.prefix,
            help: texts.prefixHelp,
            pattern: { test: PREFIX, problem: texts.notAPrefix },
          } as const,
        ]
      : []),
    ...KINDS.flatMap((kind) => strategyFields(kind, strategies[kind])),
  ];
}

function strategyFields(kind: Kind, strategies: readonly StrategyView[]): FormField[] {
  const chooser = `${kind}_strategy_class`;
  return [
    {
      ...PLAIN,
      name: chooser,
      kind: 'choice',
      label: texts[kind],
      defaultValue: strategies[0]?.type ?? '',
      choices: strategies.map(({ type, name }) => ({ value: type, label: name })),
    },
    ...strategies.flatMap(({ type, json_schema: schema, default_config: defaults }) =>
      fieldsFromJsonSchema(schema).map((field) => ({
        ...field,
        name: nameOf(kind, type, field.name),
        defaultValue: defaults[field.name],
        dependsOn: { field: chooser, value: type },
      })),
    ),
  ];
}

/** What stands in the form of an index set that exists. */
export function storedValues(set: IndexSetView): FormValues {
  const values: Record<string, unknown> = { title: set.title, description: set.description ?? '' };
  for (const kind of KINDS) {
    const type = set[`effective_${kind}_strategy_class`];
    values[`${kind}_strategy_class`] = type;
    for (const [field, value] of Object.entries(set[`effective_${kind}_strategy`])) {
      values[nameOf(kind, type, field)] = value;
    }
  }
  return values;
}

/** The strategies in a form as the API takes them. What the form leaves out has its default. */
export function strategiesRequest(values: FormValues, strategies: Strategies) {
  const of = (kind: Kind) => {
    const type = String(values[`${kind}_strategy_class`] ?? strategies[kind][0]?.type ?? '');
    const start = nameOf(kind, type, '');
    const fields = Object.entries(values)
      .filter(([name]) => name.startsWith(start))
      .map(([name, value]) => [name.slice(start.length), value === '' ? null : value] as const);
    return { type, config: Object.fromEntries(fields) };
  };
  const [rotation, retention] = [of('rotation'), of('retention')];
  return {
    rotation_strategy_class: rotation.type,
    rotation_strategy: rotation.config,
    retention_strategy_class: retention.type,
    retention_strategy: retention.config,
  };
}

/** The server's problems by the names that fields have in this form. */
export function problemsInForm(problems: readonly Problem[], values: FormValues): Problem[] {
  return problems.map(({ path, message }) => {
    const [, kind, field] = /^(rotation|retention)_strategy\.(.+)$/.exec(path) ?? [];
    if (kind === undefined || field === undefined) return { path, message };
    const type = String(values[`${kind}_strategy_class`] ?? '');
    return { path: nameOf(kind as Kind, type, field), message };
  });
}

export function errorInForm(error: Error | null, values: FormValues): Error | null {
  if (!(error instanceof ApiError) || error.problems.length === 0) return error;
  return new ApiError(error.message, { ...error, problems: problemsInForm(error.problems, values) });
}
