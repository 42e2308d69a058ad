import { z } from 'zod';
import { addPeriod, gridPoint, parsePeriod } from '../period.ts';
import { defineRotation } from '../strategy.ts';

const period = z
  .string()
  .max(40)
  .refine((text) => parsePeriod(text) !== undefined, {
    error: (issue) => `${JSON.stringify(issue.input)} is no ISO 8601 period such as P1D or PT2H`,
  });

/**
 * On a grid of the period's largest unit: `P1D` at midnight UTC, `PT2H` at even hours. The age of the active
 * index says where on the grid it began, so periods that were missed are one rotation, and nothing has to be
 * remembered.
 */
export const time = defineRotation({
  id: 'time',
  className: 'org.graylog2.indexer.rotation.strategies.TimeBasedRotationStrategy',
  configClassName: 'org.graylog2.indexer.rotation.strategies.TimeBasedRotationStrategyConfig',
  title: 'Index time',
  config: z.object({
    rotation_period: period.default('P1D').describe('ISO 8601: P1D, PT2H, …'),
    max_rotation_period: period.nullable().default(null).describe('The longest period that counts.'),
    rotate_empty_index_set: z.boolean().default(false).describe('Also when nothing was stored.'),
  }),
  due(index, config, now) {
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
});
