import { defineCondition, definePlugin, field, types } from '@millrace/plugin-api';

const COUNT = { function: 'count', field: undefined, configuration: undefined };
const MINUTE_MS = 60_000;

const condition = defineCondition({
  id: 'error-share',
  name: 'Error share',
  description: 'Alerts when too large a part of the messages are errors.',
  fields: {
    minutes: field(types.integer({ min: 1, max: 1440 }), {
      humanName: 'Time range',
      description: 'The last minutes to look at.',
      default: 5,
    }),
    percent: field(types.decimal({ min: 0, max: 100 }), {
      humanName: 'Percent',
      description: 'Alert above this share.',
      default: 10,
    }),
    errors: field(types.text({ maxLength: 1000 }), {
      humanName: 'Errors',
      description: 'Which messages are errors, in the query language of the search.',
      default: 'level:<=3',
    }),
  },
  judgeBy({ query, minutes, percent, errors }) {
    const span = (end: number) => ({ from: end - minutes * MINUTE_MS, to: end });
    return {
      threshold: percent,
      summary: `more than ${percent} % errors in ${minutes} minutes`,
      measurement: ({ end }) => ({
        figures: [
          { metric: COUNT, queries: [query, errors], ...span(end) },
          { metric: COUNT, queries: [query], ...span(end) },
        ],
        groupBy: [],
        limit: 1,
      }),
      judge(measured, { end }) {
        const [wrong = 0, all = 0] = measured.rows[0]?.figures.map(Number) ?? [];
        const share = all === 0 ? 0 : (wrong / all) * 100;
        return [
          {
            key: [],
            isTriggered: share > percent,
            description: `${share.toFixed(1)} % of ${all} messages were errors.`,
            values: { percent: share, errors: wrong, messages: all },
            ...span(end),
          },
        ];
      },
    };
  },
});

export default definePlugin({ components: [condition] });
