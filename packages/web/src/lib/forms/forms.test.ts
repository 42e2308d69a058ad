import { describe, expect, test } from 'vitest';
import type { FormField } from './form-field.ts';
import {
  allValues,
  changedValues,
  initialValues,
  problemOf,
  problemsByField,
  problemsOf,
  problemsOfNames,
  problemsWithin,
} from './form-values.ts';
import { fieldsFromConfiguration, type RequestedConfiguration } from './from-configuration.ts';
import { fieldsFromJsonSchema } from './from-json-schema.ts';

const described = (more: object): RequestedConfiguration[string] => ({
  type: 'text',
  human_name: 'Name',
  description: 'Help',
  default_value: '',
  is_optional: false,
  attributes: [],
  additional_info: {},
  ...more,
});

const CONFIGURATION = {
  bind_address: described({ default_value: '0.0.0.0' }),
  port: described({ type: 'number', default_value: 12201, attributes: ['is_port_number'] }),
  tls_enable: described({ type: 'boolean', default_value: false, is_optional: true }),
  tls_key_password: described({
    attributes: ['is_password'],
    is_optional: true,
    depends_on: { field: 'tls_enable', value: true },
  }),
  charset_name: described({
    type: 'dropdown',
    default_value: 'UTF-8',
    is_optional: true,
    additional_info: { values: { 'UTF-8': 'UTF-8' } },
  }),
  cert: described({ attributes: ['textarea'], is_optional: true }),
  tags: described({ type: 'list', default_value: [], is_optional: true }),
  future: described({ type: 'something new', is_optional: true }),
};
const fields = fieldsFromConfiguration(CONFIGURATION as RequestedConfiguration);
const byName = (name: string) => fields.find((field) => field.name === name)!;

describe("Graylog's description", () => {
  test('an optional number that is not set does not start with a value its limits forbid', () => {
    const [workers, port] = fieldsFromConfiguration({
      workers: described({ type: 'number', default_value: 0, min: 1, is_optional: true }),
      port: described({ type: 'number', default_value: 0, min: 0, is_optional: true }),
    });
    expect(workers?.defaultValue).toBeUndefined();
    expect(port?.defaultValue).toBe(0);
    const values = initialValues(workers === undefined ? [] : [workers]);
    expect(problemsOf(workers === undefined ? [] : [workers], values)).toEqual({});
  });

  test('becomes fields of fitting kinds; an unknown one is a text box', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['bind_address', 'text'],
      ['port', 'number'],
      ['tls_enable', 'boolean'],
      ['tls_key_password', 'secret'],
      ['charset_name', 'choice'],
      ['cert', 'textarea'],
      ['tags', 'list'],
      ['future', 'text'],
    ]);
    expect(byName('port')).toMatchObject({ min: 0, max: 65_535, isWhole: true });
    expect(byName('charset_name').choices).toEqual([{ value: 'UTF-8', label: 'UTF-8' }]);
  });
  test('folds optional fields, unless it has groups of its own', () => {
    expect(fields.filter(({ group }) => group === undefined).map(({ name }) => name)).toEqual([
      'bind_address',
      'port',
    ]);
    const grouped = fieldsFromConfiguration({
      last: described({ order: 9, is_optional: true }),
      first: described({ order: 1, group: 'TLS', is_optional: true }),
    });
    expect(grouped.map(({ name, group }) => [name, group])).toEqual([
      ['first', 'TLS'],
      ['last', undefined],
    ]);
  });
});

test('a JSON Schema becomes fields', () => {
  const schema = {
    properties: {
      type: { const: 'time' },
      max_docs: {
        type: 'integer',
        default: 5,
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Messages.',
      },
      period: { default: null, anyOf: [{ type: 'string', maxLength: 40 }, { type: 'null' }] },
      unit: { enum: ['days', 'hours'], default: 'days' },
      empty: { type: 'boolean', default: false },
      name: { type: ['string', 'null'], title: 'A name' },
    },
    required: ['max_docs'],
  };
  expect(fieldsFromJsonSchema(schema)).toMatchObject([
    {
      name: 'max_docs',
      kind: 'number',
      label: 'Max docs',
      help: 'Messages.',
      min: 1,
      max: undefined,
      isOptional: false,
    },
    { name: 'period', kind: 'text', isOptional: true, maxLength: 40, defaultValue: null },
    { name: 'unit', kind: 'choice', choices: [{ value: 'days', label: 'Days' }, { value: 'hours' }] },
    { name: 'empty', kind: 'boolean', isOptional: false },
    { name: 'name', kind: 'text', label: 'A name', isOptional: true },
  ]);
});

describe('values', () => {
  test('start with what is stored, else with the defaults', () => {
    expect(initialValues(fields, { port: 1, other: 2 })).toMatchObject({ bind_address: '0.0.0.0', port: 1 });
  });
  test('are sent when they differ from the default, or all of them', () => {
    const values = { ...initialValues(fields), port: 12202, tls_key_password: 'hidden' };
    expect(changedValues(fields, values)).toEqual({ port: 12202 });
    expect(Object.keys(allValues(fields, values))).not.toContain('tls_key_password');
    // What TLS needs is hidden while it is off, and is still there when somebody turns it on again.
    const stored = { tls_enable: true, tls_key_password: '<password set>' };
    const turnedOff = { ...initialValues(fields, stored), tls_enable: false, tls_key_password: 'typed' };
    expect(allValues(fields, turnedOff, stored)).toMatchObject({ ...stored, tls_enable: false });
    expect(allValues(fields, { ...turnedOff, tls_enable: true }, stored)).toMatchObject({
      tls_enable: true,
      tls_key_password: 'typed',
    });
    expect(changedValues(fields, { ...values, tls_enable: true })).toEqual({
      port: 12202,
      tls_enable: true,
      tls_key_password: 'hidden',
    });
  });
});

describe('problems', () => {
  const f = (name: string, value: unknown, more: Partial<FormField> = {}) =>
    problemOf({ ...byName(name), ...more }, value);
  test('are found before anything is sent', () => {
    expect(f('port', 70_000)).toMatch(/^At most 65/);
    expect(f('port', 1.5)).toBe('A whole number is needed.');
    expect(f('port', 'abc')).toBe('This is not a number.');
    expect(f('port', '')).toBe('This is needed.');
    expect(f('port', 0)).toBeUndefined();
    expect(f('charset_name', 'latin1')).toMatch(/offered/);
    expect(f('cert', '')).toBeUndefined();
    expect(f('cert', 'abcd', { maxLength: 3 })).toBe('At most 3 characters.');
    const pattern = { test: /^[a-z]+$/, problem: 'Only letters.' };
    expect(f('cert', 'Bad Prefix!', { pattern })).toBe('Only letters.');
    expect(f('cert', ' good ', { pattern })).toBeUndefined();
    expect(problemsOf(fields, { ...initialValues(fields), bind_address: '' })).toEqual({
      bind_address: 'This is needed.',
    });
  });
  test('of the server stand beside their field', () => {
    const headers = { ...byName('tags'), name: 'headers', kind: 'names' as const };
    const found = problemsByField(
      [...fields, headers],
      [
        { path: 'configuration.port', message: 'in use' },
        { path: 'configuration.headers.X-a[0].port', message: 'long' },
        { path: 'configuration.tags[3].port', message: 'empty' },
        { path: 'title', message: 'missing' },
      ],
    );
    expect(found).toEqual({
      byField: { port: 'in use', 'headers.X-a[0].port': 'long', 'tags[3].port': 'empty' },
      others: [{ path: 'title', message: 'missing' }],
    });
    expect(problemsWithin(found.byField, 'tags')).toEqual({ '[3].port': 'empty' });
    expect(problemsWithin(found.byField, 'headers')).toEqual({ '.X-a[0].port': 'long' });
    expect(problemsWithin(found.byField, 'port')).toEqual({ '': 'in use' });
    expect(problemsWithin(found.byField, 'tag')).toEqual({});
  });
});

test('rows that become an object have names, each one once', () => {
  const rows = (...names: string[]) => names.map((name) => ({ name, value: 'v' }));
  expect(problemsOfNames(rows('a', 'b'))).toEqual({});
  expect(problemsOfNames(rows('a', ' a ', 'b', 'a'))).toEqual({
    '[1].name': 'Another row has this name.',
    '[3].name': 'Another row has this name.',
  });
  expect(problemsOfNames(rows('a', ' '))).toEqual({ '[1].name': 'This row needs a name.' });
  const said = { '': 'too many', '.b': 'empty', '.gone': 'wrong' };
  expect(problemsOfNames(rows('a', 'b '), said)).toEqual({
    '': 'too many',
    '[1].value': 'empty',
    '.gone': 'wrong',
  });
  // An empty row is left out.
  expect(problemsOfNames([{ name: '', value: '' }])).toEqual({});
});
