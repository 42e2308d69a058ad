import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '#testing/eventually.ts';
import type { PreparedSearch, Searches } from '../execution/index.ts';
import { createSqlParameters } from '../query/index.ts';
import { createExports, type ExportRequest } from './exports.ts';

const principal = { userId: '1', username: 'alice', can: () => true };
const request: ExportRequest = {
  query: '*',
  range: { type: 'relative', range: 60 },
  format: 'csv',
  fields: ['message'],
};

/** An engine that has sent one line and goes on for as long as it is asked. */
function openExports() {
  const engine = { running: 0 };
  async function* text(): AsyncGenerator<Buffer, void, undefined> {
    engine.running += 1;
    try {
      for (;;) {
        yield Buffer.from('"line"\n');
        await turn();
      }
    } finally {
      engine.running -= 1;
    }
  }
  const prepared = { parameters: createSqlParameters(), source: () => 'messages' };
  const searches = {
    prepare: async () => prepared as unknown as PreparedSearch,
    text,
  } as unknown as Searches;
  return { engine, exports: createExports({ searches }, { timeoutMs: 3_600_000 }) };
}

test.each(['before anything was read', 'after the header', 'in the middle'])(
  'a file that is left %s ends its search, which frees the place of the user',
  async (when) => {
    const { engine, exports } = openExports();
    const file = await exports.open(principal, request);
    expect(engine.running).toBe(1);
    if (when !== 'before anything was read') {
      const chunks = file.iterator({ destroyOnReturn: false });
      for (let read = 0; read < (when === 'after the header' ? 1 : 5); read++) await chunks.next();
    }
    file.destroy();
    await eventually(() => expect(engine.running).toBe(0));
  },
);
