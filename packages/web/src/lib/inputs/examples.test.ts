import { expect, test } from 'vitest';
import { addressOf, examplesFor } from './examples.ts';

const input = (attributes: Record<string, unknown>) => ({ effective_attributes: attributes });

test('an input that listens everywhere is reached where the page came from', () => {
  expect(addressOf(input({ bind_address: '0.0.0.0', port: 12201 }), 'logs.example')).toEqual({
    host: 'logs.example',
    port: 12201,
    isOnlyLocal: false,
  });
  expect(addressOf(input({ bind_address: '::1', port: 1 }), 'logs.example')).toMatchObject({
    host: '[::1]',
    isOnlyLocal: true,
  });
  expect(addressOf(input({ bind_address: '127.0.0.1', port: 1 }), 'h').isOnlyLocal).toBe(true);
});

test('the port that the system chose is the one that senders use', () => {
  const anyPort = input({ bind_address: '::', port: 0 });
  const listening = { address: '::', port: 40_001 };
  expect(addressOf(anyPort, 'h', listening).port).toBe(40_001);
});

test('the examples of a type get the address of the input', () => {
  const examples = [
    { label: 'Shell', language: 'shell', text: 'curl http://{host}:{port}/gelf\n', tls: false },
    { label: 'Shell', language: 'shell', text: 'curl https://{host}:{port}/gelf\n', tls: true },
    { label: 'nc', language: 'shell', text: 'nc {host} {port}' },
  ];
  const at = (attributes: object) =>
    examplesFor(input({ bind_address: '::1', port: 12202, ...attributes }), { examples }, 'h').map(
      ({ code }) => code,
    );
  expect(at({})).toEqual(['curl http://[::1]:12202/gelf', 'nc ::1 12202']);
  expect(at({ tls_enable: true })).toEqual(['curl https://[::1]:12202/gelf', 'nc ::1 12202']);
});
