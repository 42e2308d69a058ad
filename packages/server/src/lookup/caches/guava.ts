import { field, types } from '#core/index.ts';
import { defineCache, MIN_KEPT_MS } from '../cache-type.ts';

const UNITS = types.choice({
  NANOSECONDS: 'nanoseconds',
  MICROSECONDS: 'microseconds',
  MILLISECONDS: 'milliseconds',
  SECONDS: 'seconds',
  MINUTES: 'minutes',
  HOURS: 'hours',
  DAYS: 'days',
});
const unit = (of: string) =>
  ({ humanName: 'Unit', description: `The unit of ${of}.`, default: 'SECONDS' }) as const;
const time = () => types.integer({ min: 0, max: 1_000_000_000 });

export const guavaCache = defineCache({
  id: 'guava_cache',
  aliases: ['caffeine'],
  name: 'In-memory cache',
  description: 'Keeps answers in the memory of each node. Data that was loaded as a whole needs none.',
  fields: {
    max_size: field(types.integer({ min: 0, max: 1_000_000 }), {
      humanName: 'Entries',
      description: 'How many answers are kept; those not used for the longest time go first.',
      default: 1000,
    }),
    expire_after_access: field(time(), {
      humanName: 'Expire after access',
      description: 'An answer that was not used for this time is forgotten. 0: never.',
      default: 60,
    }),
    expire_after_access_unit: field(UNITS, unit('this time')),
    expire_after_write: field(time(), {
      humanName: 'Expire after write',
      description: 'An answer that is older than this is forgotten. 0: never.',
      default: 0,
    }),
    expire_after_write_unit: field(UNITS, unit('this time')),
    ignore_null: field(types.boolean(), {
      humanName: 'Ignore empty answers',
      description: 'Whether keys without a value are looked up again each time.',
      default: false,
    }),
    ttl_empty: field(time(), {
      humanName: 'Expire empty answers after',
      description: 'How long the node remembers that a key has no value. 0: as long as other answers.',
      default: 0,
    }),
    ttl_empty_unit: field(UNITS, unit('this time')),
  },
  policy(config) {
    const afterWriteMs = keptMs(config.expire_after_write, config.expire_after_write_unit);
    const emptyMs = keptMs(config.ttl_empty, config.ttl_empty_unit);
    return {
      maxEntries: Math.max(1, config.max_size),
      afterAccessMs: keptMs(config.expire_after_access, config.expire_after_access_unit),
      afterWriteMs,
      emptyAfterWriteMs: config.ignore_null ? MIN_KEPT_MS : Math.min(emptyMs, afterWriteMs),
    };
  },
});

const UNIT_MS = {
  NANOSECONDS: 1e-6,
  MICROSECONDS: 1e-3,
  MILLISECONDS: 1,
  SECONDS: 1000,
  MINUTES: 60_000,
  HOURS: 3_600_000,
  DAYS: 86_400_000,
};

function keptMs(time: number, of: keyof typeof UNIT_MS): number {
  return time === 0 ? Number.POSITIVE_INFINITY : Math.max(MIN_KEPT_MS, time * UNIT_MS[of]);
}
