/** Compiles queries to JavaScript predicates, for messages that are not stored yet: the live tail and previews. */
import type { FieldPattern, QueryNode, ValueMatch } from '@millrace/query';
import {
  type FieldLayout,
  type FieldReader,
  type FieldValue,
  fieldReader,
  type Message,
} from '#core/index.ts';
import { fieldColumn, OWN_FIELD_NAMES } from '#storage/index.ts';
import { fieldNameTest } from './field-patterns.ts';
import { matchesNothing, textTest, timeTest, valueTest } from './meaning.ts';
import { createMessageTexts, type MessageTexts } from './message-texts.ts';
import { equalsNumber, parseBoolean, parseNumber } from './numbers.ts';
import type { PredicateContext } from './query-context.ts';
import { regexScope } from './regexes.ts';
import { compileTextTest, compileValueRegex, NEVER } from './text-tests.ts';
import { compileValueTest, type ValuePredicate } from './value-tests.ts';
import { foldCase, VALUE_SEPARATOR } from './words.ts';

export type MessagePredicate = (message: Message) => boolean;

/**
 * The predicate never throws, and its time is linear in the size of the message.
 *
 * @param shared texts that several predicates share; the caller then calls `setMessage` before it calls them. Without
 *   it, the predicate does so itself.
 */
export function compilePredicate(
  query: QueryNode,
  context: PredicateContext,
  shared?: MessageTexts,
): MessagePredicate {
  const texts = shared ?? createMessageTexts();
  const predicate = compileNode(query, { ...context, texts });
  if (shared !== undefined) return predicate;
  return (message) => {
    texts.setMessage(message);
    return predicate(message);
  };
}

interface CompileContext extends PredicateContext {
  readonly texts: MessageTexts;
}

function compileNode(query: QueryNode, context: CompileContext): MessagePredicate {
  switch (query.type) {
    case 'all':
      return () => true;
    case 'and': {
      const parts = query.parts.map((part) => compileNode(part, context));
      return (message) => {
        for (const part of parts) if (!part(message)) return false;
        return true;
      };
    }
    case 'or': {
      const parts = query.parts.map((part) => compileNode(part, context));
      return (message) => {
        for (const part of parts) if (part(message)) return true;
        return false;
      };
    }
    case 'not': {
      const part = compileNode(query.part, context);
      return (message) => !part(message);
    }
    case 'exists':
      return compileExists(query.field, context);
    case 'some-field':
      return compileSomeField(query.pattern, query.match, context);
    case 'match':
      return query.field === undefined
        ? compileBare(query.match, context)
        : compileField(query.field, query.match, context);
  }
}

/** Which values of a message are in fields with such a name is the same for all messages of a layout. */
function compileSomeField(
  pattern: FieldPattern,
  match: ValueMatch | undefined,
  context: CompileContext,
): MessagePredicate {
  const isWanted = fieldNameTest(pattern);
  const ofOwnFields = OWN_FIELD_NAMES.filter(isWanted).map((field) =>
    match === undefined ? compileExists(field, context) : compileField(field, match, context),
  );
  const test = match === undefined ? () => true : compileValueTest(valueTest(match));
  const positions = new WeakMap<FieldLayout, readonly number[]>();
  const positionsIn = (layout: FieldLayout) => {
    const known = positions.get(layout);
    if (known !== undefined) return known;
    const found = layout.names.flatMap((name, position) => (isWanted(name) ? [position] : []));
    positions.set(layout, found);
    return found;
  };
  return (message) => {
    for (const position of positionsIn(message.layout)) {
      const value = message.valueAt(position);
      if (value !== undefined && test(value)) return true;
    }
    return ofOwnFields.some((matches) => matches(message));
  };
}

function compileExists(field: string, context: CompileContext): MessagePredicate {
  if (field === 'streams') {
    const isVisible = visibleTest(context);
    return (message) => message.streams.some(isVisible);
  }
  const read = storedFieldReader(field, context);
  return (message) => read(message) !== undefined;
}

/** A condition on `streams` must not tell of streams that the caller may not read. */
function visibleTest({ visibleStreams }: CompileContext): (stream: string) => boolean {
  const visible = visibleStreams && new Set(visibleStreams);
  return (stream) => visible === undefined || visible.has(stream);
}

/** Reads a field as it is stored: an empty value of a field with its own column counts as missing. */
function storedFieldReader(field: string, { nodeId }: CompileContext): FieldReader {
  const { kind } = fieldColumn(field);
  if (field === 'gl2_source_node' && nodeId !== undefined) return () => nodeId;
  const read = fieldReader(field === 'gl2_message_id' ? '_id' : field);
  if (kind === 'dynamic' || field === 'level') return read;
  if (kind === 'time') return (message) => Math.trunc(Number(read(message)));
  return (message) => {
    const value = read(message);
    return value === '' || value === 0 ? undefined : value;
  };
}

function compileField(field: string, match: ValueMatch, context: CompileContext): MessagePredicate {
  const { kind } = fieldColumn(field);
  switch (kind) {
    case 'time': {
      const test = timeTest(match, context);
      if (matchesNothing(test)) return NEVER;
      const read = storedFieldReader(field, context);
      return (message) => {
        const time = Number(read(message));
        return time >= test.from && time <= test.to;
      };
    }
    case 'list': {
      const test = compileValueTest(valueTest(match));
      const isVisible = visibleTest(context);
      return (message) => message.streams.some((stream) => isVisible(stream) && test(stream));
    }
    case 'text':
      if (match.type !== 'range') return compileTextField(field, match, context);
      return compileValue(storedFieldReader(field, context), compileValueTest(valueTest(match)));
    default:
      return compileValue(storedFieldReader(field, context), compileValueTest(valueTest(match)));
  }
}

function compileValue(read: FieldReader, test: ValuePredicate): MessagePredicate {
  return (message) => {
    const value = read(message);
    return value !== undefined && test(value);
  };
}

function compileTextField(
  field: string,
  match: Exclude<ValueMatch, { type: 'range' }>,
  context: CompileContext,
): MessagePredicate {
  const test = textTest(match);
  const read = storedFieldReader(field, context);
  if (test.type === 'regex') {
    const regex = compileValueRegex(test.source);
    return compileValue(read, (value) => typeof value === 'string' && regex.test(value));
  }
  const matches = compileTextTest(test);
  const { texts } = context;
  if (field === 'message') return () => matches(texts.foldedMessage());
  return compileValue(read, (value) => typeof value === 'string' && matches(foldCase(value)));
}

function compileBare(match: ValueMatch, { texts }: CompileContext): MessagePredicate {
  if (match.type === 'range') {
    const test = compileValueTest(valueTest(match));
    return (message) => texts.values().some(test) || hasValue(message, isNumber, test);
  }
  const test = textTest(match);
  if (test.type === 'regex') return compileBareRegex(test.source, texts);
  const matches = compileTextTest(test);
  const inTexts = () => matches(texts.folded());
  if (match.type !== 'term') return inTexts;
  const number = parseNumber(match.text.trim());
  if (number !== undefined) {
    return (message) => inTexts() || hasValue(message, isNumber, (value) => equalsNumber(value, number));
  }
  const boolean = parseBoolean(foldCase(match.text));
  if (boolean === undefined) return inTexts;
  return (message) => inTexts() || message.values.includes(boolean);
}

function compileBareRegex(source: string, texts: MessageTexts): MessagePredicate {
  const scope = regexScope(source);
  switch (scope.type) {
    case 'joined': {
      const regex = compileValueRegex(scope.source);
      return () => regex.test(texts.joined());
    }
    case 'pieces': {
      const regex = compileValueRegex(source);
      return () =>
        texts
          .joined()
          .split(VALUE_SEPARATOR)
          .some((piece) => regex.test(piece));
    }
    case 'values': {
      const regex = compileValueRegex(source);
      return () => texts.values().some((value) => regex.test(value));
    }
  }
}

function isNumber(value: FieldValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function hasValue<Wanted extends FieldValue>(
  message: Message,
  isWanted: (value: FieldValue | undefined) => value is Wanted,
  test: (value: Wanted) => boolean,
): boolean {
  for (const value of message.values) if (isWanted(value) && test(value)) return true;
  return false;
}
