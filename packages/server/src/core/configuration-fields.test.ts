import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConfigurationOf,
  defineFields,
  PASSWORD_SET,
  parseConfiguration,
  publicConfiguration,
  requestedConfiguration,
  storedConfiguration,
  withStoredPasswords,
} from './configuration-fields.ts';
import { Secret } from './secret.ts';

const described = { humanName: 'A field', description: 'What it is for.' };

const fields = defineFields({
  host: { ...described, type: 'text', check: (value) => (value.includes(' ') ? 'has a space' : undefined) },
  title: { ...described, type: 'text', optional: true },
  port: { ...described, type: 'number', port: true, default: 514 },
  retries: { ...described, type: 'number', min: 1, max: 5, optional: true },
  secure: { ...described, type: 'boolean', default: false },
  mode: { ...described, type: 'dropdown', values: { fast: 'Fast', safe: 'Safe' }, default: 'safe' },
  tags: { ...described, type: 'list', optional: true },
  token: { ...described, type: 'password', optional: true },
});

function configOf(raw: Record<string, unknown>): ConfigurationOf<typeof fields> {
  const parsed = parseConfiguration(fields, raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

function problemsOf(raw: Record<string, unknown>): string[] {
  const parsed = parseConfiguration(fields, raw);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('parseConfiguration', () => {
  it('fills in defaults and leaves optional fields undefined', () => {
    expect(configOf({ host: 'a' })).toEqual({
      host: 'a',
      title: undefined,
      port: 514,
      retries: undefined,
      secure: false,
      mode: 'safe',
      tags: undefined,
      token: undefined,
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
    const raw = { port: 70_000, retries: 9, secure: 'maybe', mode: 'slow', tags: ['a', 1], token: 3 };
    expect(problemsOf(raw)).toEqual([
      'host: is missing and has no default',
      'port: must be from 0 to 65535, not 70000',
      'retries: must be from 1 to 5, not 9',
      'secure: must be true or false, not "maybe"',
      'mode: must be one of fast, safe, not "slow"',
      'tags[1]: must be a text, not 1',
      'token: must be a text',
    ]);
    expect(problemsOf({ host: 'a b' })).toEqual(['host: has a space']);
    expect(problemsOf({ host: 'a', port: 1.5 })).toEqual(['port: must be a whole number, not 1.5']);
  });

  it('takes any JSON without throwing, and what it accepts it accepts again', () => {
    const raw = fc.dictionary(
      fc.constantFrom(...Object.keys(fields), '__proto__', 'other'),
      fc.oneof(fc.jsonValue(), fc.integer(), fc.constantFrom('fast', 'true', '5')),
    );
    fc.assert(
      fc.property(raw, (given) => {
        const parsed = parseConfiguration(fields, given);
        if (!parsed.ok) {
          expect(parsed.problems.length).toBeGreaterThan(0);
          return;
        }
        const stored = JSON.parse(JSON.stringify(storedConfiguration(fields, parsed.config)));
        const again = parseConfiguration(fields, stored);
        expect(again.ok && storedConfiguration(fields, again.config)).toEqual(stored);
      }),
    );
  });
});

describe('requestedConfiguration', () => {
  it('has the shape clients build forms from', () => {
    const requested = requestedConfiguration(fields);
    expect(requested.port).toEqual({
      type: 'number',
      human_name: 'A field',
      description: 'What it is for.',
      default_value: 514,
      is_optional: false,
      attributes: ['is_port_number'],
      additional_info: {},
    });
    expect(requested.token).toMatchObject({ type: 'text', attributes: ['is_password'], default_value: '' });
    expect(requested.retries).toMatchObject({ attributes: ['only_positive'], is_optional: true });
    expect(requested.mode?.additional_info).toEqual({ values: { fast: 'Fast', safe: 'Safe' } });
    expect(requested.tags?.default_value).toEqual([]);
  });
});

describe('passwords', () => {
  const config = configOf({ host: 'a', token: 'opensesame' });

  it('are secrets in the configuration, masked in public, and plain only where stored', () => {
    expect(config.token).toBeInstanceOf(Secret);
    expect(publicConfiguration(fields, config).token).toBe(PASSWORD_SET);
    expect(JSON.stringify(publicConfiguration(fields, config))).not.toContain('opensesame');
    expect(storedConfiguration(fields, config).token).toBe('opensesame');
  });

  it('are not shown as set when they are not', () => {
    expect(publicConfiguration(fields, configOf({ host: 'a' }))).not.toHaveProperty('token');
  });

  it('keep their value when a client sends the mask back, and change when it sends another', () => {
    const stored = { host: 'a', token: 'opensesame' };
    expect(withStoredPasswords(fields, { host: 'b', token: PASSWORD_SET }, stored)).toEqual({
      host: 'b',
      token: 'opensesame',
    });
    expect(withStoredPasswords(fields, { token: 'new' }, stored).token).toBe('new');
    expect(withStoredPasswords(fields, { host: 'b' }, stored).token).toBeUndefined();
  });
});
