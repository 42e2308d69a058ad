import {
  formatTimestamp,
  MAX_PREVIEWED_CREATED,
  MAX_PREVIEWED_TEXT,
  type PipelinePreviewView,
  type PreviewedMessageView,
  type SimulationView,
} from '@millrace/contract';
import type { FieldValue, Principal } from '#core/index.ts';
import type { FieldChange, RuleTrace, SimulatedMessage, SimulatedOutcome } from '../simulation/index.ts';

type Reader = Pick<Principal, 'can'>;

export function outcomeView(
  reader: Reader,
  { messages, messageCount, trace }: SimulatedOutcome,
  took: number,
): SimulationView {
  return {
    message_count: messageCount,
    messages: messages.map((message) => ({ message: messageView(reader, message), index: '' })),
    simulation_trace: [...trace.rules.flatMap(lines), ...trace.debug.map(debugLine)].toSorted(
      (one, other) => one.time - other.time,
    ),
    took_microseconds: Math.round(took),
    trace: trace.rules.map((rule) => traceView(reader, rule)),
    is_trace_complete: trace.isComplete,
    errors: [...trace.errors],
  };
}

function debugLine({ at, text }: { readonly at: number; readonly text: string }) {
  return { time: Math.round(at), message: `debug: ${text}` };
}

function lines({ at, took, rule, pipeline, stage, matched, error }: RuleTrace) {
  const where = `rule '${rule}' in stage ${stage} of pipeline '${pipeline}'`;
  const said = matched ? `Executed ${where}` : `${where} does not match`;
  return [
    { time: Math.round(at + took), message: said },
    ...(error === undefined ? [] : [{ time: Math.round(at + took), message: error }]),
  ];
}

function traceView(reader: Reader, rule: RuleTrace): SimulationView['trace'][number] {
  const { pipeline, stage, message, matched, took, changes, streams, isDropped, error } = rule;
  const moved = streams && {
    field: 'streams',
    before: readable(reader, streams.before),
    after: readable(reader, streams.after),
  };
  return {
    pipeline,
    stage,
    rule: rule.rule,
    message,
    matched,
    took_us: Math.round(took),
    changes: [...changes.map(changeView), ...(moved === undefined ? [] : [moved])],
    dropped: isDropped,
    ...(error !== undefined && { error }),
  };
}

/** Flat, as searches return messages; with the streams that the reader may read. */
function messageView(reader: Reader, message: SimulatedMessage): Record<string, unknown> {
  const { id, timestamp, streamIds, fields } = message;
  return {
    ...(id !== '' && { _id: id }),
    timestamp: formatTimestamp(timestamp),
    streams: readable(reader, streamIds),
    ...Object.fromEntries([...fields].map(([name, value]) => [name, jsonValue(value)])),
  };
}

function readable(reader: Reader, streamIds: readonly string[]): string[] {
  return streamIds.filter((id) => reader.can('streams:read', id));
}

export function changeView({ field, before, after }: FieldChange) {
  return {
    field,
    before: before === undefined ? null : jsonValue(before),
    after: after === undefined ? null : jsonValue(after),
  };
}

/** Integers of any size become JSON numbers. */
function jsonValue(value: FieldValue): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}

/** Of all examples of a preview together, as JSON. */
const MAX_EXAMPLE_CHARACTERS = 8 * 1024 * 1024;

/** What a preview has found so far. */
export interface PreviewTotals {
  add(given: SimulatedMessage, index: string, outcome: SimulatedOutcome): void;
  lookedAt(): number;
  view(end: {
    readonly isComplete: boolean;
    readonly disabledRules: readonly string[];
    readonly tablesLeftOut: readonly string[];
  }): PipelinePreviewView;
}

export function createPreviewTotals(reader: Reader, examples: number): PreviewTotals {
  const totals = { looked_at: 0, changed: 0, dropped: 0, rerouted: 0, created: 0, failed: 0 };
  const matched = new Map<string, number>();
  const messages: PreviewedMessageView[] = [];
  let room = MAX_EXAMPLE_CHARACTERS;

  function count(view: PreviewedMessageView): void {
    if (view.changes.length > 0) totals.changed += 1;
    if (view.dropped) totals.dropped += 1;
    if (view.streams_added.length + view.streams_removed.length > 0) totals.rerouted += 1;
    if (view.errors.length > 0) totals.failed += 1;
    totals.created += view.created_count;
    for (const rule of view.rules) matched.set(rule, (matched.get(rule) ?? 0) + 1);
  }

  return {
    add(given, index, outcome) {
      totals.looked_at += 1;
      const view = previewedView(reader, given, index, outcome);
      count(view);
      if (messages.length < examples && room > 0 && isTouched(view)) {
        messages.push(view);
        room -= JSON.stringify(view).length;
      }
    },
    lookedAt: () => totals.looked_at,
    view: ({ isComplete, disabledRules, tablesLeftOut }) => ({
      ...totals,
      is_complete: isComplete,
      rules: [...matched]
        .map(([rule, times]) => ({ rule, matched: times }))
        .toSorted((one, other) => (one.rule < other.rule ? -1 : 1)),
      disabled_rules: [...disabledRules],
      lookup_tables_left_out: [...tablesLeftOut],
      messages,
    }),
  };
}

function isTouched({ changes, dropped, errors, ...view }: PreviewedMessageView): boolean {
  const moved = view.streams_added.length + view.streams_removed.length > 0;
  return changes.length > 0 || dropped || errors.length > 0 || moved || view.created_count > 0;
}

function previewedView(
  reader: Reader,
  given: SimulatedMessage,
  index: string,
  { changes, isDropped, messages, messageCount, trace }: SimulatedOutcome,
): PreviewedMessageView {
  const [own] = isDropped ? [] : messages;
  const made = isDropped ? messages : messages.slice(1);
  const before = given.streamIds;
  const after = own?.streamIds ?? before;
  return {
    index,
    id: given.id,
    timestamp: formatTimestamp(given.timestamp),
    message: String(given.fields.get('message') ?? '').slice(0, MAX_PREVIEWED_TEXT),
    rules: [...trace.matched],
    changes: changes.map(changeView),
    dropped: isDropped,
    streams_added: readable(
      reader,
      after.filter((id) => !before.includes(id)),
    ),
    streams_removed: readable(
      reader,
      before.filter((id) => !after.includes(id)),
    ),
    created: made.slice(0, MAX_PREVIEWED_CREATED).map((message) => messageView(reader, message)),
    created_count: messageCount - (isDropped ? 0 : 1),
    errors: [...trace.errors],
  };
}
