import { type ConfigurationOf, readFields, writeFields } from './fields.ts';
import {
  type ConfigurationFields,
  InvalidValue,
  mismatch,
  type Report,
  type ValueType,
} from './value-type.ts';

const MOST_ELEMENTS = 1000;

/** As text comma separated; blanks around the parts and empty parts are ignored. */
export function list<T>(element: ValueType<T>): ValueType<readonly T[]> {
  const { secret } = element;
  return {
    name: `list of ${element.name}`,
    secret,
    shape: {
      control: 'list',
      jsonSchema: { type: 'array', items: element.shape.jsonSchema, maxItems: MOST_ELEMENTS },
      element,
    },
    parse(text, context) {
      const values: T[] = [];
      for (const part of text.split(',').map((word) => word.trim())) {
        if (part === '') continue;
        const parsed = element.parse(part, context);
        if (parsed instanceof InvalidValue) {
          return new InvalidValue(`a comma separated list, each ${parsed.expected}`);
        }
        values.push(parsed);
      }
      return values.length > 0 ? values : new InvalidValue('a comma separated list');
    },
    read(given, report) {
      if (!Array.isArray(given)) return report(mismatch('a list', given, secret));
      if (given.length > MOST_ELEMENTS) return report(`must have at most ${MOST_ELEMENTS} elements`);
      return given.map((each: unknown, index) => element.read(each, below(report, `[${index}]`)) as T);
    },
    write: (values) => values.map((value) => element.write(value)),
  };
}

/** Fields of its own, such as the name and the value of a header. As text it is JSON. */
export function object<const Fields extends ConfigurationFields>(
  fields: Fields,
): ValueType<ConfigurationOf<Fields>> {
  const secret = Object.values(fields).some(({ type }) => type.secret);

  function read(given: unknown, report: Report): ConfigurationOf<Fields> | undefined {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return report(mismatch('an object', given, secret));
    }
    return readFields(fields, given as Record<string, unknown>, report, '.');
  }

  return {
    name: 'object',
    secret,
    shape: {
      control: 'object',
      jsonSchema: { type: 'object', properties: propertiesOf(fields) },
      fields,
    },
    parse(text) {
      const faults: string[] = [];
      const value = read(parseJson(text), (message, path = '') => {
        faults.push(path + message);
      });
      return value === undefined || faults.length > 0 ? new InvalidValue('a valid JSON object') : value;
    },
    read,
    write: (value) => writeFields(fields, value),
  };
}

/** Any names, each with a value, such as the headers of a request. As text it is JSON. */
export function record<T>(element: ValueType<T>): ValueType<Readonly<Record<string, T>>> {
  // What is secret inside of a value is found by the names of its fields, which a record does not have.
  if (element.secret) throw new Error('the values of a record cannot be secret');

  function read(given: unknown, report: Report): Readonly<Record<string, T>> | undefined {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      return report(mismatch('an object', given));
    }
    const entries = Object.entries(given);
    if (entries.length > MOST_ELEMENTS) return report(`must have at most ${MOST_ELEMENTS} names`);
    return Object.fromEntries(
      entries.map(([name, each]) => [name, element.read(each, below(report, `.${name}`)) as T]),
    );
  }

  return {
    name: `names with a ${element.name}`,
    secret: false,
    shape: {
      control: 'object',
      jsonSchema: { type: 'object', additionalProperties: element.shape.jsonSchema },
    },
    parse(text) {
      const faults: string[] = [];
      const value = read(parseJson(text), (message) => {
        faults.push(message);
      });
      return value === undefined || faults.length > 0 ? new InvalidValue('a valid JSON object') : value;
    },
    read,
    write: (values) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, element.write(value)])),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value that JSON shows as null when there is none. Give the field the default null. */
export function nullable<T>(type: ValueType<T>): ValueType<T | null> {
  return {
    name: type.name,
    secret: type.secret,
    shape: { ...type.shape, jsonSchema: { anyOf: [type.shape.jsonSchema, { type: 'null' }] } },
    parse: type.parse,
    read: (given, report) => (given === null ? null : type.read(given, report)),
    write: (value) => (value === null ? null : type.write(value)),
  };
}

function below(report: Report, prefix: string): Report {
  return (message, path = '') => report(message, prefix + path);
}

/** A JSON Schema of each field, with its default and description. */
export function propertiesOf(fields: ConfigurationFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type, default: fallback, humanName, description, hasNoEffect }]) => [
      name,
      {
        title: humanName,
        ...(fallback !== undefined && { default: type.write(fallback) }),
        description,
        ...(hasNoEffect && { deprecated: true }),
        ...type.shape.jsonSchema,
      },
    ]),
  );
}
