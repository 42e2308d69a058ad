import { describe, expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { answerOf } from '../answer.ts';
import { createRemoteLookups, type Reply } from './remote-lookups.ts';

const CACHE = { maxEntries: 100, afterAccessMs: 1e9, afterWriteMs: 1e9, emptyAfterWriteMs: 1e9 };
const KEY = { table: 'one', sourceId: '1', key: 'a' };

describe('remote lookups', () => {
  test('a thread is told of a change after the answers that were read before it', async () => {
    const seen: string[] = [];
    const forgotten = Promise.withResolvers<void>();
    const remote = createRemoteLookups({
      clock: new ManualClock(),
      changed() {
        seen.push('forget');
        forgotten.resolve();
      },
      lost: () => {},
    });
    const calls = {
      fetch: async () => ({ answer: answerOf('old') }),
      change: async () => ({ answer: answerOf('new') }),
    };
    remote.use([{ name: 'one', sourceId: '1', adapterId: 'store', cache: CACHE, calls, report: () => {} }]);
    await remote.ask('one', 'a');
    const reader: Reply = (answers) => {
      for (const { fetched } of answers) seen.push(String(fetched?.answer.single));
    };
    remote.serve({ keys: [KEY], changes: [] }, reader);
    remote.serve({ keys: [], changes: [{ ...KEY, change: { kind: 'set', value: 'new' } }] }, () => {});
    await forgotten.promise;
    expect(seen).toEqual(['old', 'forget']);
  });
});
