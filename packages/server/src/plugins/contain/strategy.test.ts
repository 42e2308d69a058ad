import { expect, test } from 'vitest';
import { createFaultLedger } from '#core/index.ts';
import { defineRetention, type Retention } from '#storage/service.ts';
import type { PluginFault } from '../fault.ts';
import { createPluginGuards } from '../guard.ts';
import { containRetention } from './strategy.ts';

function retention(decision: unknown) {
  const ledger = createFaultLedger();
  const faults: PluginFault[] = [];
  const guards = createPluginGuards((fault) => faults.push(fault), {
    memory: { faults: ledger.memory, calls: new SharedArrayBuffer(8) },
    slots: new Map([['boat', ledger.slotOf('boat')]]),
    worker: undefined,
    limitMs: 60_000,
    maxFaults: 2,
  });
  const type = defineRetention({
    id: 'boat-weeks',
    wireType: 'boat-weeks',
    name: 'Weeks',
    description: 'Weeks.',
    configWireType: 'boat-weeks-config',
    fields: {},
    create: () => decision as Retention,
  });
  return { create: () => containRetention(type, guards.of('boat')).create(undefined, {}), faults };
}

test('a retention of a plugin decides what it says', () => {
  for (const decision of [
    { action: 'delete', keep: 7 },
    { action: undefined, keep: 0 },
  ]) {
    expect(retention(decision).create()).toEqual(decision);
  }
});

// A number that is none would count as zero, and nothing but the active index would stay.
test.each([
  ['nothing', undefined, 'it decided nothing'],
  ['an unknown action', { action: 'remove', keep: 7 }, 'its action is "remove"'],
  ['no number to keep', { action: 'delete', keep: null }, 'its keep is null'],
  ['less than nothing to keep', { action: 'delete', keep: -1 }, 'its keep is -1'],
])('a retention of a plugin that says %s deletes nothing, and has a fault', (_, decision, problem) => {
  const { create, faults } = retention(decision);
  expect(create).toThrow(problem);
  expect(faults).toMatchObject([{ kind: 'call' }]);
});
