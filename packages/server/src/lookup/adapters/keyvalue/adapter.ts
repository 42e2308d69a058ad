import { field, types } from '#core/index.ts';
import { type AdapterContext, defineAdapter } from '../../adapter-type.ts';
import { answerOf, NO_ANSWER } from '../../answer.ts';
import type { FetchedAnswer } from '../../remote/answer-cache.ts';
import { changedValue, type LookupChange } from '../../remote/change.ts';
import type { StoredEntry } from '../../stored-entries.ts';

const MAX_CONCURRENT = 32;
/** So many changes are made before the entries are counted again. */
const RECOUNT_AFTER = 1000;
/** Keys are refused for so long before the entries are counted again: some may have expired. */
const RECOUNT_MS = 1000;

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
    const room = createRoom({ entries, clock, adapterId }, config.max_entries);

    async function change(key: string, wanted: LookupChange): Promise<FetchedAnswer> {
      let more = 0;
      const changed = await entries.change(adapterId, key, (current) => {
        const next = changedEntry(current, wanted, clock.now());
        more = Number(next !== undefined) - Number(current !== undefined);
        if (more > 0) room.require();
        return next;
      });
      room.changed(more);
      return fetchedOf(changed, clock.now());
    }

    return {
      kind: 'remote',
      maxConcurrent: MAX_CONCURRENT,
      // What has ended must not be used.
      usesExpired: false,
      fetch: async (key) => fetchedOf(await entries.find(adapterId, key), clock.now()),
      async change(key, wanted) {
        await room.count();
        try {
          return await change(key, wanted);
        } catch (error) {
          if (!(error instanceof NoRoom) || !(await room.countAgain())) throw error;
          return change(key, wanted);
        }
      },
    };
  },
});

/** The store is full. */
export class NoRoom extends Error {}

/** How many keys there are: counted now and then, since other nodes change them too. */
function createRoom(
  { entries, clock, adapterId }: Pick<AdapterContext, 'entries' | 'clock' | 'adapterId'>,
  maxEntries: number,
) {
  let count: number | undefined;
  let countedAt = 0;
  let changes = 0;

  async function countNow(): Promise<void> {
    // They take up room until they are deleted.
    await entries.removeExpired();
    count = await entries.count(adapterId);
    countedAt = clock.now();
    changes = 0;
  }

  return {
    async count(): Promise<void> {
      if (count === undefined || changes >= RECOUNT_AFTER) await countNow();
    },
    /** Before a key is refused. False: they were counted a moment ago. */
    async countAgain(): Promise<boolean> {
      // The clock may have been set back.
      if (Math.abs(clock.now() - countedAt) < RECOUNT_MS) return false;
      await countNow();
      return true;
    },
    require(): void {
      if (count !== undefined && count >= maxEntries)
        throw new NoRoom(
          `there are ${count} keys, as many as there can be (max_entries); further ones are refused`,
        );
    },
    changed(more: number): void {
      count = (count ?? 0) + more;
      changes += 1;
    },
  };
}

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
