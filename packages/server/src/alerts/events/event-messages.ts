/** Events as messages: what a rule has found, in the stream "All events". */
import { hostname } from 'node:os';
import {
  createFieldLayouts,
  EVENT_INDEX_SET_ID,
  EVENT_STREAM_ID,
  type FieldValue,
  Message,
} from '#core/index.ts';
import type { AlertRecord } from '#metadata/index.ts';
import { CONDITION_TYPES } from '../conditions/registry.ts';
import { shownKey } from '../evaluation/notice-of.ts';

const GROUP_PREFIX = 'group_by_fields.';
const FIELD_PREFIX = 'fields.';
const LEVEL_OF_PRIORITY: Readonly<Record<number, number>> = { 1: 5, 2: 4, 3: 2 };
const layouts = createFieldLayouts();
const target = { streamIds: [EVENT_STREAM_ID], indexSetIds: [EVENT_INDEX_SET_ID], outputIds: [] };

/** The fields of an event besides those that every message has. */
export function eventFields(alert: AlertRecord): Map<string, FieldValue> {
  const fields = new Map<string, FieldValue>([
    ['event_definition_id', alert.ruleId],
    ['event_definition_type', CONDITION_TYPES.find(alert.conditionType)?.wireType ?? alert.conditionType],
    ['event_definition_title', alert.title],
    ['alert', alert.isAlert],
    ['priority', alert.priority],
    ['timerange_start', new Date(alert.windowFrom).toISOString()],
    ['timerange_end', new Date(alert.windowTo).toISOString()],
    ['source_streams', alert.streams.join(',')],
    ['event_values', JSON.stringify(alert.values)],
  ]);
  const key = shownKey(alert);
  if (key.length > 0) fields.set('key', key.join('|'));
  for (const [name, value] of Object.entries(alert.fields ?? {})) fields.set(`${FIELD_PREFIX}${name}`, value);
  if (alert.sourceMessage !== undefined) {
    fields.set(
      'origin_context',
      `urn:graylog:message:es:${alert.sourceMessage.index}:${alert.sourceMessage.id}`,
    );
  }
  for (const { field, value } of alert.key) fields.set(`${GROUP_PREFIX}${field}`, value);
  return fields;
}

/** The fields that a rule was grouped by, from the fields of an event. */
export const groupByFields = (fields: ReadonlyMap<string, unknown>) => below(fields, GROUP_PREFIX);

/** The fields that a rule computed, from the fields of an event. */
export const computedFields = (fields: ReadonlyMap<string, unknown>) => below(fields, FIELD_PREFIX);

function below(fields: ReadonlyMap<string, unknown>, prefix: string): Record<string, string> {
  return Object.fromEntries(
    [...fields].flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), String(value)]] : [],
    ),
  );
}

/** The message of an event, which has the alert's id. */
export function eventMessage(alert: AlertRecord) {
  const message = new Message({
    timestamp: alert.triggeredAt,
    source: hostname(),
    message: alert.title === '' ? alert.description : `${alert.title}: ${alert.description}`,
    fullMessage: undefined,
    level: LEVEL_OF_PRIORITY[alert.priority] ?? 4,
    layout: layouts.empty(),
    values: [],
    notes: 0,
    origin: { inputId: '', remoteAddress: '', remotePort: 0 },
    // A part of the id.
    receivedAt: alert.triggeredAt,
    size: 0,
  });
  message.id = alert.id;
  for (const [name, value] of eventFields(alert)) message.setField(name, value);
  message.streams = target.streamIds;
  return { message, target };
}
