import { field, types } from '#core/index.ts';
import {
  commonSummary,
  defineCondition,
  formatNumber,
  graceText,
  lastMinutes,
  minutesText,
  timeField,
} from '../condition.ts';

export const messageCount = defineCondition({
  id: 'message_count',
  wireType: 'message_count',
  aliases: ['org.graylog2.alerts.types.MessageCountAlertCondition'],
  name: 'Message Count Alert Condition',
  description: 'Alerts when a stream has more or fewer messages in a time than a threshold.',
  fields: {
    time: timeField,
    threshold_type: field(types.choice({ MORE: 'more than', LESS: 'less than' }), {
      humanName: 'Threshold type',
      description: 'Whether there must be more or fewer messages than the threshold.',
      default: 'MORE',
      optional: true,
    }),
    threshold: field(types.integer({ min: 0 }), {
      humanName: 'Threshold',
      description: 'The number of messages.',
      default: 0,
      optional: true,
    }),
  },
  judgeBy(config) {
    const { time, threshold, threshold_type: type } = config;
    return {
      threshold,
      summary: `time: ${time}, threshold_type: ${type.toLowerCase()}, threshold: ${threshold}, ${commonSummary(config)}`,
      measurement: (window) => ({
        figures: [{ metric: COUNT, queries: [config.query], ...lastMinutes(time, window) }],
        groupBy: [],
        limit: 1,
      }),
      judge(measured, window) {
        const count = measured.rows[0]?.figures[0] ?? 0;
        return [
          {
            key: [],
            isTriggered: type === 'MORE' ? count > threshold : count < threshold,
            description: `Stream had ${formatNumber(count)} ${count === 1 ? 'message' : 'messages'} in the last ${minutesText(time)} with trigger condition ${type} than ${formatNumber(threshold)} messages. ${graceText(config.grace)}`,
            values: { 'count()': count },
            ...lastMinutes(time, window),
          },
        ];
      },
    };
  },
});

const COUNT = { function: 'count', field: undefined, configuration: undefined };
