import { expect, test } from 'vitest';
import { createLogger } from '#telemetry/index.ts';
import { createIndexSetDirectory } from './directory.ts';
import type { IndexSetStore } from './stored.ts';

test('whoever waits for a refresh sees what was stored before, whenever another one is at work', async () => {
  for (let steps = 0; steps < 20; steps++) {
    let title = 'old';
    const store = {
      indices: {
        list: async () => [{ indexSetId: '1', number: 0, version: 1, state: 'open', createdAt: 0 }],
      },
      indexSets: { list: async () => [{ id: '1', title, prefix: 'web', fieldTypes: {}, deleting: false }] },
    } as unknown as IndexSetStore;
    const directory = createIndexSetDirectory({ store, logger: createLogger({ level: 'silent' }) });
    void directory.refresh();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    title = 'new';
    await directory.refresh();
    expect(directory.get('1').title, `after ${steps} steps`).toBe('new');
  }
});
