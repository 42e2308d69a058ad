import { testPlugin } from '@millrace/plugin-api/testing';
import { expect, test } from 'vitest';
import plugin from './index.ts';

const { streamRule, faults } = testPlugin(plugin, { 'in-network': { value: '10.0.0.0/8' } });

test('addresses are compared as addresses', () => {
  const isInside = streamRule('in-network', '10.0.0.0/8');
  expect([isInside('10.200.0.1'), isInside('11.0.0.1'), isInside('10.1'), isInside(10)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const isInsideSix = streamRule('in-network', '2001:db8::/32');
  expect([isInsideSix('2001:DB8::1'), isInsideSix('2001:db9::1')]).toEqual([true, false]);
});

test('what is no network is refused with a reason', () => {
  expect(() => streamRule('in-network', 'the office')).toThrow('write an address');
  expect(() => streamRule('in-network', '10.0.0.0/33')).toThrow('from 0 to 32');
  expect(faults).toEqual([]);
});
