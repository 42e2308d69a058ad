import { expect, test } from 'vitest';
import { createAllowedTargets } from './allowed-targets.ts';

test('public addresses are allowed, all others are not', () => {
  const targets = createAllowedTargets();
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1111', '64:ff9b::808:808', '172.32.0.1']) {
    expect(targets.isAllowed(address), address).toBe(true);
  }
  for (const address of [
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '::127.0.0.1',
    '2001:0:a9fe:a9fe::1',
    '2002:7f00:1::1',
    '2002:a00:1::',
    'not an address',
  ]) {
    expect(targets.isAllowed(address), address).toBe(false);
  }
});

test('networks of the settings are allowed too', () => {
  const targets = createAllowedTargets(['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32']);
  for (const address of ['10.1.9.9', '192.168.7.7', 'fd00:1::5', '::ffff:10.1.0.1']) {
    expect(targets.isAllowed(address), address).toBe(true);
  }
  for (const address of ['10.2.0.1', '192.168.7.8', 'fd00:2::5', '127.0.0.1']) {
    expect(targets.isAllowed(address), address).toBe(false);
  }
});
