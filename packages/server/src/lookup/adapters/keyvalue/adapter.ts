import { field, types } from '#core/index.ts';
import { defineAdapter } from '../../adapter-type.ts';
import { answerOf, NO_ANSWER } from '../../answer.ts';
import type { FetchedAnswer } from '../../remote/answer-cache.ts';
import { changedValue, type LookupChange } from '../../remote/change.ts';
import type { StoredEntry } from '../../stored-entries.ts';

const MAX_CONCURRENT = 32;
/** So many changes are made before the entries are counted again. */
const RECOUNT_AFTER = 1000;

export const keyValueAdapter = defineAdapter({
  id: 'keyvalue',
  aliases: ['mongodb'],
  name: 'Key-value store',
  description: 'Values that rules set and look up. They are in the metadata database, for all nodes.',
  fields: {
    max_entries: field(types.integer({ min: 1, max: 1_000_000 }), {
      humanName: 'Entries',
      description: 'How many keys there can be. Further keys are refused.',
      default: 100_000,
    }),
  },
  create({ entries, clock, adapterId }, config) {
    let count: number | undefined;
    let changes = 0;

    async function requireRoom(): Promise<void> {
      if (count === undefined || changes >= RECOUNT_AFTER) {
        count = await entries.count(adapterId);
        changes = 0;
      }
      if (count >= config.max_entries)
        throw new Error(
          `there are ${count} keys, as many as there can be (max_entries); further ones are refused`,
        );
    }

    return {
      kind: 'remote',
      maxConcurrent: MAX_CONCURRENT,
      // What has ended must not be used.
      usesExpired: false,
      fetch: async (key) => fetchedOf(await entries.find(adapterId, key), clock.now()),
      async change(key, change) {
        if (change.kind === 'set' || change.kind === 'add') {
          if ((await entries.find(adapterId, key)) === undefined) {
            await requireRoom();
            count = (count ?? 0) + 1;
          }
        }
        changes += 1;
        const changed = await entries.change(adapterId, key, (current) =>
          changedEntry(current, change, clock.now()),
        );
        return fetchedOf(changed, clock.now());
      },
    };
  },
});

/** A value that is set anew stays for ever unless a time is given; other changes keep the time. */
function changedEntry(
  current: StoredEntry | undefined,
  change: LookupChange,
  now: number,
): StoredEntry | undefined {
  const value = changedValue(current?.value, change);
  if (value === undefined) return undefined;
  if (change.kind === 'ttl') return { value, expiresAt: now + change.ttlMs };
  if (change.kind !== 'set') return { value, expiresAt: current?.expiresAt };
  return { value, expiresAt: change.ttlMs === undefined ? undefined : now + change.ttlMs };
}

function fetchedOf(entry: StoredEntry | undefined, now: number): FetchedAnswer {
  if (entry === undefined) return { answer: NO_ANSWER };
  const answer = answerOf(entry.value);
  return entry.expiresAt === undefined ? { answer } : { answer, ttlMs: entry.expiresAt - now };
}
