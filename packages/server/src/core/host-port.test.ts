import { expect, test } from 'vitest';
import { formatHostPort, parseHostPort } from './host-port.ts';

test.each([
  ['127.0.0.1', 9000, '127.0.0.1:9000'],
  ['logs.example.org', 80, 'logs.example.org:80'],
  ['::1', 9000, '[::1]:9000'],
  ['fe80::1%eth0', 9000, '[fe80::1%eth0]:9000'],
])('%s and %i', (host, port, text) => {
  expect(formatHostPort(host, port)).toBe(text);
  expect(parseHostPort(text)).toEqual({ host, port });
});

test.each(['', 'host', '::1:9000', '[host]:1', '[]:1', 'host:65536', 'host:', 'a:b:1'])(
  '%j is refused',
  (text) => {
    expect(parseHostPort(text)).toBe(undefined);
  },
);
