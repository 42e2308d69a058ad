/** Tests messages that the caller sends against queries: for rules that colour what was found without filtering it. */
import { MAX_MATCHED_MESSAGES, type MatchRequest, type MatchResponse } from '@millrace/contract';
import { parseQuery } from '@millrace/query';
import {
  type Clock,
  createFieldLayouts,
  createTimeGuard,
  type FieldLayout,
  type FieldValue,
  InvalidError,
  Message,
} from '#core/index.ts';
import { queryParseError } from '../execution/index.ts';
import { compilePredicate, createMessageTexts } from '../query/index.ts';
import { parseInstant, requireTimeZone } from '../time/index.ts';

export interface MessageMatcher {
  /** Throws `InvalidError` for a query that cannot be parsed or takes too long, and for an unknown time zone. */
  match(request: MatchRequest): MatchResponse;
}

/** The whole node waits for it. A regular expression can take a tenth of a millisecond for each character. */
const MAX_TIME_MS = 2000;

export function createMessageMatcher({ clock }: { readonly clock: Clock }): MessageMatcher {
  const guard = createTimeGuard();
  return {
    match({ queries, messages, time_zone }) {
      const timeZone = requireTimeZone(time_zone ?? 'UTC');
      const texts = createMessageTexts();
      const parsed = queries.map((text) => {
        const { query, problems } = parseQuery(text);
        if (query === undefined) throw queryParseError(text, problems);
        return query;
      });
      const context = { now: clock.now(), timeZone };
      const layouts = createFieldLayouts({ maxLayouts: MAX_MATCHED_MESSAGES });
      let matches: number[][] = [];
      const isDone = guard.repeat(() => {
        // Compiled each time: what was interrupted may be in no state to go on.
        const predicates = parsed.map((query) => compilePredicate(query, context, texts));
        matches = messages.map((fields) => {
          const message = messageOf(fields, layouts.empty(), timeZone);
          texts.setMessage(message);
          return predicates.flatMap((predicate, at) => (predicate(message) ? [at] : []));
        });
      }, MAX_TIME_MS);
      if (isDone) return { matches };
      throw new InvalidError(
        `Testing these messages took longer than ${MAX_TIME_MS / 1000} s and was stopped. Use simpler regular expressions, fewer queries or fewer messages.`,
      );
    },
  };
}

const OWN_FIELDS: ReadonlySet<string> = new Set([
  ...['_id', 'timestamp', 'source', 'message', 'full_message', 'level', 'streams', 'gl2_message_id'],
  ...['gl2_source_input', 'gl2_remote_ip', 'gl2_remote_port', 'gl2_receive_timestamp'],
]);
/** What a message without a level is stored with. */
const NO_LEVEL = 1;

/** A message in the shape of the API as processing would see it. Values that no message can have are left out. */
function messageOf(
  fields: Readonly<Record<string, unknown>>,
  layout: FieldLayout,
  timeZone: string,
): Message {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const number = (name: string, fallback: number) =>
    typeof fields[name] === 'number' ? fields[name] : fallback;
  const time = (name: string) => instantOf(fields[name], timeZone);
  const message = new Message({
    timestamp: time('timestamp'),
    source: text('source'),
    message: text('message'),
    fullMessage: text('full_message') === '' ? undefined : text('full_message'),
    level: number('level', NO_LEVEL),
    layout,
    values: [],
    notes: 0,
    origin: {
      inputId: text('gl2_source_input'),
      remoteAddress: text('gl2_remote_ip'),
      remotePort: number('gl2_remote_port', 0),
    },
    receivedAt: time('gl2_receive_timestamp'),
    size: 0,
  });
  message.id = text('_id');
  const { streams } = fields;
  if (Array.isArray(streams)) message.streams = streams.filter((id) => typeof id === 'string');
  for (const [name, value] of Object.entries(fields)) {
    if (!OWN_FIELDS.has(name) && isFieldValue(value)) message.setField(name, value);
  }
  return message;
}

function instantOf(value: unknown, timeZone: string): number {
  return typeof value === 'string' ? (parseInstant(value, timeZone)?.from ?? 0) : 0;
}

function isFieldValue(value: unknown): value is FieldValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
