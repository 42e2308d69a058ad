import { expect, test } from 'vitest';
import { Secret } from '#core/index.ts';
import { startedMessage } from './announcement.ts';

const NODE = {
  address: 'http://127.0.0.1:9000/',
  dataDir: '/var/lib/millrace',
  product: { name: 'Millrace', version: '1.2.3+abc' },
  storage: 'embedded ClickHouse',
  metadata: 'SQLite',
  inputs: [],
};

test('the first start shows address, data, user and password', () => {
  const newAdministrator = { username: 'admin', password: new Secret('fresh-water'), keep: () => {} };
  const text = startedMessage({ ...NODE, newAdministrator });
  for (const part of [
    NODE.address,
    NODE.dataDir,
    NODE.product.version,
    'admin',
    'fresh-water',
    'api-browser',
  ]) {
    expect(text).toContain(part);
  }
});

test('later starts say nothing about passwords', () => {
  expect(startedMessage({ ...NODE, newAdministrator: undefined })).not.toMatch(/password/i);
});

test('inputs are shown with the address to send to, or with what is wrong', () => {
  const input = (title: string, type: string, address?: string) => ({
    title,
    type,
    state: address === undefined ? 'FAILED' : 'RUNNING',
    listening: address === undefined ? undefined : { address, port: 12201 },
    detailedMessage: address === undefined ? 'port in use' : undefined,
  });
  const inputs = [
    input('GELF UDP', 'gelf-udp', '::1'),
    input('GELF HTTP', 'gelf-http', '127.0.0.1'),
    input('GELF TCP', 'gelf-tcp'),
  ];
  const newAdministrator = { username: 'admin', password: new Secret('fresh-water'), keep: () => {} };
  const text = startedMessage({ ...NODE, inputs, newAdministrator });
  expect(text).toContain('    GELF UDP        [::1]:12201\n');
  expect(text).toContain('    GELF HTTP       http://127.0.0.1:12201/gelf\n');
  expect(text).toContain('    GELF TCP        failed: port in use\n');
  expect(text).toMatch(/curl -d '\{.+\}' http:\/\/127\.0\.0\.1:12201\/gelf/);
  expect(startedMessage({ ...NODE, inputs: [], newAdministrator })).not.toContain('Inputs');
  const many = Array.from({ length: 10 }, () => input('GELF UDP', 'gelf-udp', '::1'));
  expect(startedMessage({ ...NODE, inputs: many, newAdministrator })).toContain('and 2 more');
});
