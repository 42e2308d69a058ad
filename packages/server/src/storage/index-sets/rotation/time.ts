import { field, types } from '#core/index.ts';
import { addPeriod, gridPoint, parsePeriod } from '../period.ts';
import { defineRotation } from '../strategy.ts';

const period = types.text({
  maxLength: 40,
  check: (text) => (parsePeriod(text) === undefined ? 'an ISO 8601 period such as P1D or PT2H' : undefined),
});

/**
 * On the grid of the period: `P1D` at midnight UTC, `PT2H` at even hours. The age of the active index says where on the
 * grid it began, so periods that were missed are one rotation, and nothing has to be remembered.
 */
export const time = defineRotation({
  id: 'time',
  wireType: 'org.graylog2.indexer.rotation.strategies.TimeBasedRotationStrategy',
  configWireType: 'org.graylog2.indexer.rotation.strategies.TimeBasedRotationStrategyConfig',
  name: 'After a time',
  description:
    'Begins a new index after a period, at full hours, days, weeks, months or years in UTC. Periods that fit no such grid, such as P10D, follow one another.',
  fields: {
    rotation_period: field(period, {
      humanName: 'Rotation period',
      description: 'ISO 8601: PT1H is an hour, P1D a day, P1W a week, P1M a month.',
      default: 'P1D',
    }),
    max_rotation_period: field(types.nullable(period), {
      humanName: 'Maximum rotation period',
      description: 'The longest period that counts.',
      default: null,
    }),
    rotate_empty_index_set: field(types.boolean(), {
      humanName: 'Rotate an empty index set',
      description: 'Also when nothing was stored.',
      default: false,
    }),
  },
  create: (_context, config) => ({
    due(index, now) {
      if (index.messages === 0 && !config.rotate_empty_index_set) return undefined;
      const ends = [config.rotation_period, config.max_rotation_period ?? config.rotation_period].flatMap(
        (text) => {
          const parsed = parsePeriod(text);
          return parsed === undefined ? [] : addPeriod(gridPoint(index.createdAt, parsed), parsed);
        },
      );
      const end = Math.min(...ends);
      return now >= end ? `its time ended at ${new Date(end).toISOString()}` : undefined;
    },
    limit: { period: shorter(config.rotation_period, config.max_rotation_period) },
    lasts: () => lengthOf(shorter(config.rotation_period, config.max_rotation_period)),
  }),
});

function lengthOf(text: string): number {
  const parsed = parsePeriod(text);
  return parsed === undefined ? 0 : addPeriod(0, parsed);
}

function shorter(period: string, longest: string | null): string {
  return longest !== null && lengthOf(longest) < lengthOf(period) ? longest : period;
}
