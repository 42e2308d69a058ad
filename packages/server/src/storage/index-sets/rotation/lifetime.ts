import { type ConfigurationProblem, field, types } from '#core/index.ts';
import { addPeriod, parsePeriod } from '../period.ts';
import { DAY_MS, defineRotation, timeToReach } from '../strategy.ts';

const GIB = 1024 ** 3;
/** An index of a day is rotated when it is this large; a larger one before its day is over. Graylog's sizes. */
const GOOD_SIZE = 20 * GIB;
const MAX_SIZE = 50 * GIB;

export const lifetime = types.text({
  maxLength: 40,
  check: (text) => (parsePeriod(text) === undefined ? 'an ISO 8601 period such as P30D' : undefined),
});

/**
 * Begins a new index when the active one has a good size, and at the latest when it would hold messages for longer than
 * the longest time. The retention then counts no indices: an index goes when the shortest time since its end is over, so
 * that each message is kept for at least the one and at most the other.
 */
export const lifetimes = defineRotation({
  id: 'lifetime',
  wireType: 'org.graylog2.indexer.rotation.strategies.TimeBasedSizeOptimizingStrategy',
  configWireType: 'org.graylog2.indexer.rotation.strategies.TimeBasedSizeOptimizingStrategyConfig',
  name: 'For a lifetime',
  description: 'Keeps messages for at least one time and at most another, in indices of a good size.',
  fields: {
    index_lifetime_min: field(lifetime, {
      humanName: 'Shortest lifetime',
      description: 'Messages are kept at least this long. ISO 8601: P30D is 30 days.',
      default: 'P30D',
    }),
    index_lifetime_max: field(lifetime, {
      humanName: 'Longest lifetime',
      description: 'Messages are kept at most this long: a day or more beyond the shortest.',
      default: 'P40D',
    }),
  },
  check: ({ index_lifetime_min: min, index_lifetime_max: max }) => lifetimeProblems(min, max),
  create(_context, { index_lifetime_min: min, index_lifetime_max: max }) {
    const longest = lengthOf(max) - lengthOf(min);
    return {
      due({ messages, bytes, createdAt }, now) {
        const age = now - createdAt;
        if (messages === 0) return undefined;
        if (bytes >= MAX_SIZE || (bytes >= GOOD_SIZE && age >= DAY_MS)) return `it has ${bytes} bytes`;
        return age >= longest ? `a longer one would keep messages for more than ${max}` : undefined;
      },
      limit: { period: `P${Math.floor(longest / DAY_MS)}D` },
      lasts: ({ bytesPerDay }) => Math.min(longest, timeToReach(GOOD_SIZE, bytesPerDay) ?? longest),
      keepsForMs: lengthOf(min),
    };
  },
});

/** Indices must have at least a day to grow in. */
export function lifetimeProblems(min: string, max: string): ConfigurationProblem[] {
  if (lengthOf(max) - lengthOf(min) >= DAY_MS) return [];
  return [
    {
      path: 'index_lifetime_max',
      message: `must be at least a day longer than index_lifetime_min (${min}), not ${JSON.stringify(max)}`,
    },
  ];
}

function lengthOf(text: string): number {
  const parsed = parsePeriod(text);
  return parsed === undefined ? 0 : addPeriod(0, parsed);
}
