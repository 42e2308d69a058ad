import { field, types } from '#core/index.ts';
import {
  commonSummary,
  defineCondition,
  fieldNameType,
  formatNumber,
  graceText,
  lastMinutes,
  minutesText,
  timeField,
} from '../condition.ts';

/** The statistic's name in the API, and the function of the search. */
const STATISTICS = { MEAN: 'avg', MIN: 'min', MAX: 'max', SUM: 'sum', STDDEV: 'stddev' } as const;
type Statistic = keyof typeof STATISTICS;

export const fieldValue = defineCondition({
  id: 'field_value',
  wireType: 'field_value',
  aliases: ['org.graylog2.alerts.types.FieldValueAlertCondition'],
  name: 'Field Aggregation Alert Condition',
  description: 'Alerts when a statistic over the numbers of a field is higher or lower than a threshold.',
  fields: {
    field: field(fieldNameType, { humanName: 'Field', description: 'A field with numbers.' }),
    time: timeField,
    threshold: field(types.decimal(), {
      humanName: 'Threshold',
      description: 'The value to compare with.',
      default: 0,
      optional: true,
    }),
    threshold_type: field(types.choiceAsWritten({ LOWER: 'lower than', HIGHER: 'higher than' }), {
      humanName: 'Threshold type',
      description: 'Whether the statistic must be lower or higher than the threshold.',
      default: 'HIGHER',
      optional: true,
    }),
    type: field(
      types.choiceAsWritten({
        MEAN: 'mean',
        MIN: 'minimum',
        MAX: 'maximum',
        SUM: 'sum',
        STDDEV: 'standard deviation',
      }),
      {
        humanName: 'Aggregation type',
        description: 'The statistic over the values of the field.',
        default: 'MAX',
        optional: true,
      },
    ),
  },
  judgeBy(config) {
    const { time, threshold, field: name } = config;
    const statistic = config.type.toUpperCase() as Statistic;
    const isHigher = config.threshold_type.toUpperCase() === 'HIGHER';
    const thresholdType = isHigher ? 'HIGHER' : 'LOWER';
    const metric = { function: STATISTICS[statistic], field: name, configuration: undefined };
    return {
      threshold,
      summary: `time: ${time}, field: ${name}, check type: ${statistic.toLowerCase()}, threshold_type: ${thresholdType.toLowerCase()}, threshold: ${formatNumber(threshold)}, ${commonSummary(config)}`,
      measurement(window) {
        const scope = { queries: [config.query], ...lastMinutes(time, window) };
        return {
          figures: [
            { metric, ...scope },
            // A sum over nothing is 0, which is no value. The mean is missing if the field has no numbers.
            ...(statistic === 'SUM' ? [{ metric: { ...metric, function: 'avg' }, ...scope }] : []),
          ],
          groupBy: [],
          limit: 1,
        };
      },
      judge(measured, window) {
        const figures = measured.rows[0]?.figures ?? [];
        const value = figures.includes(null) ? null : (figures[0] ?? null);
        const found =
          value === null
            ? `Field ${name} had no numbers in the last ${minutesText(time)}`
            : `Field ${name} had a ${statistic} of ${formatNumber(value)} in the last ${minutesText(time)}`;
        return [
          {
            key: [],
            isTriggered: value !== null && (isHigher ? value > threshold : value < threshold),
            description: `${found} with trigger condition ${thresholdType} than ${formatNumber(threshold)}. ${graceText(config.grace)}`,
            values: { [`${statistic.toLowerCase()}(${name})`]: value },
            ...lastMinutes(time, window),
          },
        ];
      },
    };
  },
});
