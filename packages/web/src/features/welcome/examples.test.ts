import { expect, test } from 'vitest';
import { addressOf, exampleFor } from './examples.ts';

const input = (type: string, attributes: Record<string, unknown>) => ({
  type: `org.graylog2.inputs.gelf.${type}`,
  attributes,
});

test('an input that listens everywhere is reached where the page came from', () => {
  expect(addressOf(input('x', { bind_address: '0.0.0.0', port: 12201 }), 'logs.example')).toEqual({
    host: 'logs.example',
    port: 12201,
    isOnlyLocal: false,
  });
  expect(addressOf(input('x', { bind_address: '::1', port: 1 }), 'logs.example')).toMatchObject({
    host: '[::1]',
    isOnlyLocal: true,
  });
  expect(addressOf(input('x', { bind_address: '127.0.0.1', port: 1 }), 'h').isOnlyLocal).toBe(true);
});

test('each type has a command of its own, an unknown one has none', () => {
  const attributes = { bind_address: '127.0.0.1', port: 12202 };
  expect(exampleFor(input('http.GELFHttpInput', attributes), 'h')?.command).toMatch(
    /^curl -d .* \\\n {2}http:\/\/127\.0\.0\.1:12202\/gelf$/,
  );
  expect(
    exampleFor(input('http.GELFHttpInput', { ...attributes, tls_enable: true }), 'h')?.command,
  ).toContain('https://');
  expect(exampleFor(input('tcp.GELFTCPInput', attributes), 'h')?.command).toMatch(
    /\\0' \| \\\n {2}nc -w1 127\.0\.0\.1 12202$/,
  );
  expect(exampleFor(input('udp.GELFUDPInput', attributes), 'h')?.command).toContain('nc -u -w1');
  expect(exampleFor(input('beats.BeatsInput', attributes), 'h')).toBeUndefined();
});
