import {
  type ConfigurationFields,
  type ConfigurationOf,
  type ConfigurationProblem,
  type ParsedConfiguration,
  parseConfiguration,
  type RawConfiguration,
  unknownSecrets,
  writeFields,
} from './schema/index.ts';
import { InvalidError } from './service-errors.ts';

/**
 * Something a user can paste to try a component, such as a shell command that sends a message to an input. `{host}` and
 * `{port}` stand for where the input listens.
 */
export interface ComponentExample {
  readonly label: string;
  /** What highlights it: `shell`, `json`, `yaml`. */
  readonly language: string;
  readonly text: string;
  /** Only for components with TLS, or only for those without it; for both when left out. */
  readonly tls?: boolean;
}

/** What every type of component has, whatever its kind. */
export interface ComponentType<Context = unknown, Instance = unknown> {
  /** The short id, in code, in the database, in metrics and logs: `gelf-udp`. */
  readonly id: string;
  /** The name in the API: Graylog's class name where Graylog has such a component. */
  readonly wireType: string;
  /** Other names that clients may send. */
  readonly aliases: readonly string[];
  /** For people: `GELF UDP`. */
  readonly name: string;
  /** A sentence or two: what it does and when to choose it. */
  readonly description: string;
  readonly fields: ConfigurationFields;
  readonly examples: readonly ComponentExample[];
  /** Everything that is wrong with a configuration, between fields too; empty when nothing is. */
  problemsOf(raw: RawConfiguration): readonly ConfigurationProblem[];
  /** The configuration as it is stored: complete, with defaults, secrets in clear. */
  complete(raw: RawConfiguration): RawConfiguration | InvalidConfiguration;
  create(context: Context, raw: RawConfiguration): Instance | InvalidConfiguration;
}

/** A configuration that a component refuses. A value, since users cause it. */
export class InvalidConfiguration {
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    this.problems = problems;
  }

  get text(): string {
    return this.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  }
}

export interface ComponentDefinition<Fields extends ConfigurationFields, Context, Instance> {
  readonly id: string;
  readonly wireType: string;
  readonly aliases?: readonly string[];
  readonly name: string;
  readonly description: string;
  readonly fields: Fields;
  readonly examples?: readonly ComponentExample[];
  /** What is wrong with fields that are right one by one. */
  readonly check?: (config: ConfigurationOf<Fields>) => readonly ConfigurationProblem[];
  create(context: Context, config: ConfigurationOf<Fields>): Instance;
}

/**
 * A component type whose factory gets its configuration typed, complete and checked. Each kind of component wraps this
 * with what is its own: `defineInputType`, `defineRotation`.
 */
export function defineComponent<Fields extends ConfigurationFields, Context, Instance>(
  definition: ComponentDefinition<Fields, Context, Instance>,
): ComponentType<Context, Instance> {
  const { id, wireType, aliases = [], name, description, fields, examples = [] } = definition;

  function parse(raw: RawConfiguration): ParsedConfiguration<Fields> {
    const parsed = parseConfiguration(fields, raw);
    if (!parsed.ok) return parsed;
    const problems = definition.check?.(parsed.config) ?? [];
    return problems.length > 0 ? { ok: false, problems } : parsed;
  }

  return {
    id,
    wireType,
    aliases,
    name,
    description,
    fields,
    examples,
    problemsOf(raw) {
      const parsed = parse(raw);
      return parsed.ok ? [] : parsed.problems;
    },
    complete(raw) {
      const parsed = parse(raw);
      return parsed.ok ? writeFields(fields, parsed.config) : new InvalidConfiguration(parsed.problems);
    },
    create(context, raw) {
      const parsed = parse(raw);
      return parsed.ok
        ? definition.create(context, parsed.config)
        : new InvalidConfiguration(parsed.problems);
    },
  };
}

/** A configuration that is stored as it was sent, complete; unchanged if the type refuses it by now. */
export function effectiveConfiguration(
  type: Pick<ComponentType, 'complete'>,
  stored: RawConfiguration,
): RawConfiguration {
  const completed = type.complete(stored);
  return completed instanceof InvalidConfiguration ? stored : completed;
}

/**
 * A configuration as it is stored: as it was sent, except that secrets have the form in which they are found and
 * encrypted. Throws `InvalidError` with every problem when it is not valid, and for keys that the type does not know if
 * they seem to hold secrets: nobody would see that they are not protected.
 */
export function requireStorable(
  type: Pick<ComponentType, 'complete' | 'fields'>,
  raw: RawConfiguration,
  what: string,
): RawConfiguration {
  const completed = requireConfiguration(type, raw, what);
  const [name] = unknownSecrets(type.fields, raw);
  if (name === undefined) return { ...raw, ...sentSecrets(type.fields, raw, completed) };
  throw new InvalidError(
    `Invalid configuration of ${what}: it has no field "${name}", and what seems to be a secret is not kept for nothing. Leave it out.`,
    { path: `configuration.${name}` },
  );
}

function sentSecrets(
  fields: ConfigurationFields,
  raw: RawConfiguration,
  completed: RawConfiguration,
): RawConfiguration {
  const sent = Object.entries(raw).filter(([, value]) => value !== null && value !== '');
  const names = sent
    .map(([name]) => name)
    .filter((name) => Object.hasOwn(fields, name) && fields[name]?.type.secret === true);
  return Object.fromEntries(names.map((name) => [name, completed[name]]));
}

/**
 * The complete configuration, with defaults and secrets in clear. Throws `InvalidError` with every problem when it is not
 * valid; `what` names the component for people, `prefix` is where its configuration is in the request.
 */
export function requireConfiguration(
  type: Pick<ComponentType, 'complete'>,
  raw: RawConfiguration,
  what: string,
  { prefix = 'configuration', nameOf = (path: string) => path } = {},
): RawConfiguration {
  const completed = type.complete(raw);
  if (!(completed instanceof InvalidConfiguration)) return completed;
  const problems = completed.problems.map(({ path, message }) => ({ path: nameOf(path), message }));
  const errors = Map.groupBy(problems, ({ path }) => path);
  const texts = problems.map(({ path, message }) => `${path} ${message}`);
  throw new InvalidError(`Invalid configuration of ${what}: ${texts.join('; ')}.`, {
    details: {
      type: 'ValidationApiError',
      validation_errors: Object.fromEntries(
        [...errors].map(([path, found]) => [path, found.map(({ message }) => ({ error: message }))]),
      ),
    },
    problems: problems.map(({ path, message }) => ({ path: `${prefix}.${path}`, message })),
  });
}
