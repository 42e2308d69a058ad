import { field, types } from '#core/index.ts';
import { keyText } from '../aggregation/condition.ts';
import {
  commonSummary,
  defineCondition,
  type EvaluationWindow,
  graceText,
  groupByField,
  minutesText,
} from '../condition.ts';

const MINUTE_MS = 60_000;
const MAX_KEYS = 1000;
/** An alert about something that was silent for longer is resolved: it is not coming back. */
const MAX_SILENCE_MS = 30 * 24 * 60 * MINUTE_MS;

/** Nothing was heard for a time: of the stream, or of a host that was heard before. */
export const silence = defineCondition({
  id: 'silence',
  wireType: 'silence',
  name: 'No messages since',
  description:
    'Alerts when no message came for a time. Grouped by a field such as source, it alerts for every value that came before and is silent now.',
  fields: {
    time: field(types.integer({ min: 1, max: 7 * 24 * 60 }), {
      humanName: 'Silent for',
      description: 'Minutes without a message.',
      default: 15,
      optional: true,
    }),
    known_for: field(types.integer({ min: 1, max: 30 * 24 * 60 }), {
      humanName: 'Known for',
      description: 'Minutes: values that did not come in this time are not expected to.',
      default: 24 * 60,
      optional: true,
    }),
    group_by: groupByField,
  },
  check: ({ time, known_for }) =>
    known_for > time ? [] : [{ path: 'known_for', message: `must be more than time, which is ${time}` }],
  judgeBy(config) {
    const { time, known_for: knownFor, group_by: groupBy } = config;
    const isGrouped = groupBy.length > 0;
    const silentSince = ({ end }: EvaluationWindow) => end - time * MINUTE_MS;
    /** What is silent stays in the window while its alert is open. */
    const windowStart = ({ end, openSince }: EvaluationWindow) => {
      if (!isGrouped) return end - time * MINUTE_MS;
      const known = end - knownFor * MINUTE_MS;
      if (openSince === undefined) return known;
      return Math.max(end - MAX_SILENCE_MS, Math.min(known, openSince - knownFor * MINUTE_MS));
    };
    return {
      groupBy,
      threshold: null,
      summary: `silent for: ${time}, ${isGrouped ? `group by: ${groupBy.join(', ')}, known for: ${knownFor}, ` : ''}${commonSummary(config)}`,
      measurement: (window) => ({
        figures: [
          {
            metric: isGrouped
              ? { function: 'max', field: timeFieldOf(config.time_basis), configuration: undefined }
              : { function: 'count', field: undefined, configuration: undefined },
            queries: [config.query],
            from: windowStart(window),
            to: window.end,
          },
        ],
        groupBy,
        having: isGrouped
          ? {
              kind: '<',
              left: { kind: 'figure', at: 0 },
              right: { kind: 'number', value: silentSince(window) },
            }
          : undefined,
        limit: MAX_KEYS,
      }),
      judge: (measured, window) =>
        measured.rows.map(({ key, figures: [figure = null] }) => {
          const last = isGrouped && figure !== null ? new Date(figure).toISOString() : undefined;
          return {
            key,
            isTriggered: isGrouped || (figure ?? 0) === 0,
            description: `${keyText(groupBy, key)}${last === undefined ? '' : `the last message was at ${last}. `}${isGrouped || (figure ?? 0) === 0 ? 'No message came' : 'Messages came'} in the last ${minutesText(time)}. ${graceText(config.grace)}`,
            values: isGrouped ? { last_message: figure } : { 'count()': figure },
            from: windowStart(window),
            to: window.end,
          };
        }),
    };
  },
});

function timeFieldOf(basis: 'message' | 'receive' | undefined): string {
  return basis === 'receive' ? 'gl2_receive_timestamp' : 'timestamp';
}
