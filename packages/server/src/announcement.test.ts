import { expect, test } from 'vitest';
import { Secret } from '#core/index.ts';
import { startedMessage } from './announcement.ts';

const NODE = {
  address: 'http://127.0.0.1:9000/',
  dataDir: '/var/lib/millrace',
  product: { name: 'Millrace', version: '1.2.3+abc' },
  storage: 'embedded ClickHouse',
  metadata: 'SQLite',
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
