import { asPhrase, asTerm } from '@millrace/query';
import { field, types } from '#core/index.ts';
import { commonSummary, defineCondition, fieldNameType, formatNumber, graceText } from '../condition.ts';

/**
 * Each message is looked at once, in the evaluation after its receipt. So the window is what was received since the
 * evaluation before, however long ago that was.
 */
export const fieldContentValue = defineCondition({
  id: 'field_content_value',
  wireType: 'field_content_value',
  aliases: ['org.graylog2.alerts.types.FieldContentValueAlertCondition'],
  name: 'Field Content Alert Condition',
  description: 'Alerts when a message arrives in which a field has a value.',
  basis: 'receive',
  fields: {
    field: field(fieldNameType, { humanName: 'Field', description: 'The field to check.' }),
    value: field(types.text({ maxLength: 4096 }), {
      humanName: 'Value',
      description: 'The value that the field must have.',
    }),
  },
  judgeBy(config) {
    const query = contentQuery(config.field, config.value);
    return {
      threshold: 0,
      summary: `field: ${config.field}, value: ${config.value}, ${commonSummary(config)}`,
      measurement: ({ previousEnd, end }) => ({
        figures: [
          {
            metric: { function: 'count', field: undefined, configuration: undefined },
            queries: [config.query, query],
            from: previousEnd,
            to: end,
          },
        ],
        groupBy: [],
        limit: 1,
      }),
      judge(measured, { previousEnd, end }) {
        const count = measured.rows[0]?.figures[0] ?? 0;
        return [
          {
            key: [],
            isTriggered: count > 0,
            description: `Stream received ${formatNumber(count)} ${count === 1 ? 'message' : 'messages'} matching <${query}>. ${graceText(config.grace)}`,
            values: { 'count()': count },
            from: previousEnd,
            to: end,
          },
        ];
      },
    };
  },
});

/** `field:"value"` */
export function contentQuery(name: string, value: string): string {
  return `${asTerm(name)}:${asPhrase(value)}`;
}
