import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StartupError } from '#core/index.ts';
import { load, loadFile, problems } from '#testing/config.ts';
import { settingGroups } from './settings/index.ts';

describe('secrets', () => {
  const word = 'hunter2';
  const secretKeys = settingGroups
    .flatMap((group) => Object.entries(group.settings))
    .filter(([, setting]) => setting.type.secret)
    .map(([key]) => key);

  test('the secret keys are those that hold a password', () => {
    expect(secretKeys).toEqual([
      'root_password_sha2',
      'password_secret',
      'http_tls_key_password',
      'metadata_uri',
      'clickhouse_uri',
      'clickhouse_backup',
      'transport_email_auth_password',
    ]);
  });

  test.each(secretKeys)('%s does not appear in a report, wherever and however it is set', (key) => {
    const bad = `${word}\u0007`;
    const runs = [
      () => loadFile(`${key} = ${bad}`),
      () => load({ env: { [`MILLRACE_${key.toUpperCase()}`]: bad } }),
      () => load({ argv: [`--${key}`, bad] }),
      () => load({ argv: [`--${key}=${bad}`, word] }),
      () => loadFile(`${key}x = ${bad}`),
      () => loadFile(`${key} ${bad}`),
      () => load({ env: { [`MILLRACE_${key.toUpperCase()}X`]: bad } }),
      () => load({ argv: [`--${key}x`, bad] }),
      () => load({ argv: [`--${key}x=${bad}`] }),
    ];
    for (const run of runs) {
      const report = problems(run);
      expect(report).not.toEqual([]);
      expect(report.join('\n')).not.toContain(word);
    }
  });

  test('the loaded configuration prints without them', () => {
    const { config } = loadFile(
      [
        `password_secret = ${word.repeat(3)}`,
        `metadata_uri = postgres://u:${word}@h/db`,
        `clickhouse_uri = http://u:${word}@a:8123,http://u:${word}@b:8123`,
        `transport_email_auth_password = ${word}`,
        `http_tls_key_password = ${word}`,
      ].join('\n'),
    );
    expect(JSON.stringify(config) + inspect(config, { depth: 9, showHidden: true })).not.toContain(word);
    expect(config.password_secret?.reveal()).toBe(word.repeat(3));
  });
});

describe('any text', () => {
  /** Loads or says why not, and nothing else. */
  function loadsOrExplains(run: () => unknown): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      expect(error.message).toMatch(/^the configuration has/);
    }
  }
  const keyNames = settingGroups.flatMap((group) => Object.keys(group.settings));
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'true',
      '0',
      '5gb',
      '1h',
      '::1',
      'http://[',
      'sqlite:',
      ',',
      '"',
      '[::]:0',
      '%',
      '0.0.0.0:1',
    ),
    fc.webUrl(),
    fc.ipV6(),
    fc.nat().map(String),
  );
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.tuple(fc.constantFrom(...keyNames), value).map(([key, text]) => `${key} = ${text}`),
  );

  test('as a file', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        loadsOrExplains(() => loadFile(lines.join(end)));
      }),
      { numRuns: 500 },
    );
  });

  test('as environment and command line', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => `MILLRACE_${text}`),
      fc.constantFrom(...keyNames).map((key) => `MILLRACE_${key.toUpperCase()}`),
    );
    const argument = fc.oneof(
      value,
      fc.constantFrom(...keyNames).map((key) => `--${key}`),
      fc.tuple(fc.constantFrom(...keyNames), value).map(([key, text]) => `--${key}=${text}`),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.array(argument), (env, argv) => {
        loadsOrExplains(() => load({ env, argv }));
      }),
      { numRuns: 500 },
    );
  });
});
