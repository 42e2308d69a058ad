import { field, types } from '#core/index.ts';
import { defineCache } from '../cache-type.ts';

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
  },
});
