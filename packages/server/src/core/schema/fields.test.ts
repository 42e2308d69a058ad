import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { Secret } from '../secret.ts';
import {
  type ConfigurationOf,
  field,
  jsonSchemaOf,
  keepStoredSecrets,
  PASSWORD_SET,
  parseConfiguration,
  redactConfiguration,
  requestedConfiguration,
  types,
  writeFields,
} from './index.ts';

const described = { humanName: 'A field', description: 'What it is for.' };

const fields = {
  host: field(types.text({ pattern: /^\S*$/, expected: 'a host without spaces' }), described),
  title: field(types.text(), { ...described, optional: true, placeholder: 'A title' }),
  port: field(types.port(), { ...described, default: 514 }),
  retries: field(types.integer({ min: 1, max: 5 }), { ...described, optional: true, group: 'Limits' }),
  timeout: field(types.duration({ min: '1s', max: '1h', bareUnit: 's' }), { ...described, default: 5000 }),
  secure: field(types.boolean(), { ...described, default: false }),
  mode: field(types.choice({ fast: 'Fast', safe: 'Safe' }), { ...described, default: 'safe' }),
  tags: field(types.list(types.text()), { ...described, optional: true }),
  token: field(types.secret(), {
    ...described,
    optional: true,
    dependsOn: { field: 'secure', value: true },
  }),
  headers: field(
    types.list(
      types.object({
        name: field(types.text(), described),
        value: field(types.secret(), described),
      }),
    ),
    { ...described, default: [] },
  ),
};

type Config = ConfigurationOf<typeof fields>;

function configOf(raw: Record<string, unknown>): Config {
  const parsed = parseConfiguration(fields, raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

function problemsOf(raw: Record<string, unknown>): string[] {
  const parsed = parseConfiguration(fields, raw);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('parseConfiguration', () => {
  it('gives a typed configuration', () => {
    expectTypeOf<Config['host']>().toEqualTypeOf<string>();
    expectTypeOf<Config['title']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Config['port']>().toEqualTypeOf<number>();
    expectTypeOf<Config['mode']>().toEqualTypeOf<'fast' | 'safe'>();
    expectTypeOf<Config['token']>().toEqualTypeOf<Secret | undefined>();
    expectTypeOf<Config['tags']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<Config['headers'][number]['value']>().toEqualTypeOf<Secret>();
  });

  it('fills in defaults and leaves optional fields undefined', () => {
    expect(configOf({ host: 'a' })).toEqual({
      host: 'a',
      title: undefined,
      port: 514,
      retries: undefined,
      timeout: 5000,
      secure: false,
      mode: 'safe',
      tags: undefined,
      token: undefined,
      headers: [],
    });
  });

  it('takes an empty text or null as absent, as forms send them', () => {
    expect(configOf({ host: 'a', port: '', title: '', token: null })).toEqual(configOf({ host: 'a' }));
  });

  it('understands numbers and booleans in quotes', () => {
    expect(configOf({ host: 'a', port: '1234', secure: 'true' })).toMatchObject({ port: 1234, secure: true });
  });

  it('drops keys it does not know', () => {
    expect(configOf({ host: 'a', number_of_unicorns: 7 })).not.toHaveProperty('number_of_unicorns');
  });

  it('reports every problem with its path and the offending value', () => {
    const raw = {
      port: 70_000,
      retries: 9,
      timeout: 0,
      secure: 'maybe',
      mode: 'slow',
      tags: ['a', 1],
      token: 3,
      headers: [{ name: 'A', value: 'b' }, { value: 5 }],
    };
    expect(problemsOf(raw)).toEqual([
      'host: is missing and has no default',
      'port: must be a port from 0 (any free one) to 65535, not 70000',
      'retries: must be a whole number from 1 to 5, not 9',
      'timeout: must be a time from 1s to 1h in ms, s, m, h or d; without a unit seconds, not 0',
      'secure: must be true or false, not "maybe"',
      'mode: must be one of fast, safe, not "slow"',
      'tags[1]: must be a text, not 1',
      'token: must be a text',
      'headers[1].name: is missing and has no default',
      'headers[1].value: must be a text',
    ]);
    expect(problemsOf({ host: 'a b' })).toEqual(['host: must be a host without spaces, not "a b"']);
    expect(problemsOf({ host: 'a', retries: 1.5 })).toEqual([
      'retries: must be a whole number from 1 to 5, not 1.5',
    ]);
  });

  it('takes any JSON without throwing, and what it accepts it accepts again', () => {
    const raw = fc.dictionary(
      fc.constantFrom(...Object.keys(fields), '__proto__', 'other'),
      fc.oneof(
        fc.jsonValue(),
        fc.integer(),
        fc.constantFrom('fast', 'true', '5', '5m'),
        fc.array(fc.record({ name: fc.string(), value: fc.string() })),
      ),
    );
    fc.assert(
      fc.property(raw, (given) => {
        const parsed = parseConfiguration(fields, given);
        if (!parsed.ok) {
          expect(parsed.problems.length).toBeGreaterThan(0);
          return;
        }
        const stored = JSON.parse(JSON.stringify(writeFields(fields, parsed.config)));
        const again = parseConfiguration(fields, stored);
        expect(again.ok && writeFields(fields, again.config)).toEqual(stored);
      }),
    );
  });
});

describe('requestedConfiguration', () => {
  const requested = requestedConfiguration(fields);

  it("has Graylog's shape, and what a form needs beside it", () => {
    expect(requested.port).toEqual({
      type: 'number',
      human_name: 'A field',
      description: 'What it is for.',
      default_value: 514,
      is_optional: false,
      attributes: ['is_port_number'],
      additional_info: {},
      order: 2,
      is_secret: false,
      min: 0,
      max: 65_535,
    });
    expect(requested.token).toMatchObject({
      type: 'text',
      attributes: ['is_password'],
      default_value: '',
      is_secret: true,
      depends_on: { field: 'secure', value: true },
    });
    expect(requested.title).toMatchObject({ placeholder: 'A title', default_value: '' });
    expect(requested.retries).toMatchObject({
      attributes: ['only_positive'],
      is_optional: true,
      group: 'Limits',
    });
    expect(requested.timeout).toMatchObject({ default_value: 5, min: 1, max: 3600, unit: 'seconds' });
    expect(requested.mode?.additional_info).toEqual({ values: { fast: 'Fast', safe: 'Safe' } });
    expect(requested.tags?.default_value).toEqual([]);
  });

  it('describes the elements of a list of objects', () => {
    expect(requested.headers).toMatchObject({
      type: 'list',
      is_secret: true,
      fields: { name: { type: 'text', order: 0 }, value: { attributes: ['is_password'], order: 1 } },
    });
  });

  it('offers defaults that are valid', () => {
    const defaults = Object.fromEntries(
      Object.entries(requested).map(([name, { default_value }]) => [name, default_value]),
    );
    expect(problemsOf({ ...defaults, host: 'a', retries: 1 })).toEqual([]);
  });
});

describe('jsonSchemaOf', () => {
  it('says what is required, and the default and limits of each field', () => {
    expect(jsonSchemaOf(fields)).toMatchObject({
      type: 'object',
      required: ['host'],
      properties: {
        port: { default: 514, type: 'integer', minimum: 0, maximum: 65_535 },
        timeout: { default: 5, type: 'number', minimum: 1, maximum: 3600 },
        mode: { type: 'string', enum: ['fast', 'safe'] },
        headers: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
      },
    });
  });
});

describe('secrets', () => {
  const raw = { host: 'a', token: 'opensesame', headers: [{ name: 'X', value: 'sesame2' }] };
  const config = configOf(raw);

  it('are secrets in the configuration, masked where shown, and plain only where stored', () => {
    const stored = writeFields(fields, config);
    expect(config.token).toBeInstanceOf(Secret);
    expect(stored).toMatchObject(raw);
    const shown = redactConfiguration(fields, { ...stored, password_of_an_older_version: 'sesame3' });
    expect(shown).toMatchObject({ token: PASSWORD_SET, headers: [{ name: 'X', value: PASSWORD_SET }] });
    expect(JSON.stringify(shown)).not.toContain('sesame');
  });

  it('are not shown as set when they are not', () => {
    const stored = writeFields(fields, configOf({ host: 'a' }));
    expect(redactConfiguration(fields, stored)).not.toHaveProperty('token');
  });

  it('keep their value when a client sends the mask back, and change when it sends another', () => {
    const stored = { host: 'a', token: 'opensesame' };
    expect(keepStoredSecrets(fields, { host: 'b', token: PASSWORD_SET }, stored)).toEqual({
      host: 'b',
      token: 'opensesame',
    });
    expect(keepStoredSecrets(fields, { token: 'new' }, stored).token).toBe('new');
    expect(keepStoredSecrets(fields, { host: 'b' }, stored).token).toBeUndefined();
    expect(keepStoredSecrets(fields, { token: PASSWORD_SET }, {}).token).toBeUndefined();
  });

  it('of a list stay with the element they belong to', () => {
    const stored = {
      headers: [
        { name: 'A', value: 'of A' },
        { name: 'B', value: 'of B' },
      ],
    };
    const sent = {
      headers: [
        { name: 'B', value: PASSWORD_SET },
        { name: 'C', value: PASSWORD_SET },
        { name: 'A', value: 'new' },
      ],
    };
    expect(keepStoredSecrets(fields, sent, stored)).toEqual({
      headers: [
        { name: 'B', value: 'of B' },
        { name: 'C', value: undefined },
        { name: 'A', value: 'new' },
      ],
    });
  });
});
