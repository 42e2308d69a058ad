/**
 * Translates queries to SQL over a table of messages. Text from the user enters a statement only as a bound parameter;
 * names of fields go through `fieldColumn`.
 */
import type { FieldPattern, QueryNode, ValueMatch } from '@millrace/query';
import { parseMessageId } from '#core/index.ts';
import { fieldColumn, OWN_FIELD_NAMES } from '#storage/index.ts';
import { groupAlternatives } from './alternatives.ts';
import { anyValueCondition, MAX_FIELDS, manyFieldsCondition } from './any-value-condition.ts';
import {
  ALWAYS,
  and,
  COST,
  type Condition,
  either,
  NEVER,
  not,
  or,
  render,
  splitConditions,
  sql,
  words,
} from './conditions.ts';
import { engineRegex } from './engine-regex.ts';
import { fieldNameTest } from './field-patterns.ts';
import { INDEX_FIELD, indexCondition } from './index-condition.ts';
import { matchesNothing, textTest, timeTest, type ValueTest, valueTest } from './meaning.ts';
import { parseBoolean, parseNumber } from './numbers.ts';
import type { QueryContext } from './query-context.ts';
import { regexLiterals } from './regex-literals.ts';
import { compileRegex, regexScope } from './regexes.ts';
import {
  forNewParts,
  forSelectList,
  instantSql,
  type SqlParameters,
  visibleStreamsSql,
} from './sql-parameters.ts';
import {
  anyPhraseCondition,
  JOINED_TEXT,
  regexCondition,
  SQL_SEPARATOR,
  type TextColumn,
  textCondition,
} from './text-conditions.ts';
import { anyOfCondition, dynamicValues, type ValueColumns, valueCondition } from './value-conditions.ts';
import { foldCase } from './words.ts';

/**
 * A condition for the WHERE of a SELECT directly from a table of messages. Never NULL, so that NOT selects the other
 * rows. Elsewhere (`countIf`, a condition over a subquery, a column) the engine does not use the text index with its lower
 * case and would miss words: see `queryColumn`. The condition grows with the query: a thousand clauses need a larger
 * `max_query_size` and `max_ast_elements` than the engine's defaults.
 */
export function queryCondition(query: QueryNode, context: QueryContext, parameters: SqlParameters): string {
  return render(nodeCondition(query, { ...context, parameters }), parameters);
}

/** The same condition as a column of such a SELECT. */
export function queryColumn(query: QueryNode, context: QueryContext, parameters: SqlParameters): string {
  return queryCondition(query, context, forSelectList(parameters));
}

/** The same for each kind of part. */
export interface QueryConditions {
  /** For every part, and fast for those with the indexes over `text`. */
  readonly indexed: string;
  /** Finds the same rows, and is fast for parts without the indexes. Undefined: `indexed` is as fast. */
  readonly forNewParts: string | undefined;
  /**
   * Conditions that no row meets two of, and that together find the same rows as `indexed`: faster for tables with many
   * messages. Undefined: `indexed` is as fast.
   */
  readonly split: readonly string[] | undefined;
}

/** In characters. To analyse a longer condition once more takes longer than it saves. */
const LONGEST_SPLIT = 10_000;

export function queryConditions(
  query: QueryNode,
  context: QueryContext,
  parameters: SqlParameters,
): QueryConditions {
  const condition = nodeCondition(query, { ...context, parameters });
  const indexed = render(condition, parameters);
  const split =
    indexed.length > LONGEST_SPLIT
      ? undefined
      : splitConditions(condition, parameters)?.map((part) => render(part, parameters));
  const other = queryCondition(query, context, forNewParts(parameters));
  return { indexed, forNewParts: other === indexed ? undefined : other, split };
}

interface SqlContext extends QueryContext {
  readonly parameters: SqlParameters;
}

function nodeCondition(query: QueryNode, context: SqlContext): Condition {
  switch (query.type) {
    case 'all':
      return ALWAYS;
    case 'and':
      return and(query.parts.map((part) => nodeCondition(part, context)));
    case 'or':
      return orCondition(query.parts, context);
    case 'not':
      return not(nodeCondition(query.part, context), context.parameters);
    case 'exists':
      return existsCondition(query.field, context);
    case 'some-field':
      return someFieldCondition(query.pattern, query.match, context);
    case 'match':
      return query.field === undefined
        ? bareCondition(query.match, context)
        : fieldCondition(query.field, query.match, context);
  }
}

function orCondition(parts: readonly QueryNode[], context: SqlContext): Condition {
  const { parameters } = context;
  const { values, phrases, rest } = groupAlternatives(parts);
  return or(
    [
      ...[...values].map(([field, tests]) => anyOfCondition(tests, columnsOf(field), parameters)),
      ...[...phrases].map(([field, group]) => anyPhraseCondition(group, textColumn(field), parameters)),
      ...rest.map((part) => nodeCondition(part, context)),
    ],
    parameters,
  );
}

/** There are few sources, and the column stores each once: reading it is cheaper than the index. */
function textColumn(field: string | undefined): TextColumn {
  if (field === undefined) return JOINED_TEXT;
  return { expression: fieldColumn(field).expression, isIndexed: field !== 'source', isJoined: false };
}

function existsCondition(field: string, context: SqlContext): Condition {
  if (field === INDEX_FIELD) return ALWAYS;
  const column = fieldColumn(field);
  switch (column.kind) {
    case 'dynamic':
      return sql(`(${column.expression} IS NOT NULL)`, COST.field);
    case 'time':
      return ALWAYS;
    case 'number':
      return field === 'level' ? ALWAYS : sql(`${column.expression} != 0`, COST.ownColumn);
    case 'text':
      if (field === 'source') return sql('notEmpty(source)', COST.ownColumn);
      return sql(`${column.expression}_length > 0`, COST.ownColumn);
    case 'keyword':
      return isId(field) ? ALWAYS : sql(`notEmpty(${column.expression})`, COST.ownColumn);
    case 'list':
      return sql(
        `notEmpty(${visibleStreamsSql(context.visibleStreams, context.parameters)})`,
        COST.ownColumn,
      );
  }
}

/** One condition for each field with such a name, unless there are many. */
function someFieldCondition(
  pattern: FieldPattern,
  match: ValueMatch | undefined,
  context: SqlContext,
): Condition {
  const isWanted = fieldNameTest(pattern);
  const own = OWN_FIELD_NAMES.filter(isWanted);
  const others = context.fields
    .map(({ name }) => name)
    .filter((name) => !own.includes(name) && isWanted(name));
  const one = (field: string) =>
    match === undefined ? existsCondition(field, context) : fieldCondition(field, match, context);
  const ofOthers =
    others.length > MAX_FIELDS
      ? [manyFieldsCondition(pattern, match && valueTest(match), context.parameters)]
      : others.map(one);
  return or([...own.map(one), ...ofOthers], context.parameters);
}

function isId(field: string): boolean {
  return field === '_id' || field === 'gl2_message_id';
}

function fieldCondition(field: string, match: ValueMatch, context: SqlContext): Condition {
  const { parameters } = context;
  if (field === INDEX_FIELD) return indexCondition(valueTest(match), parameters);
  const column = fieldColumn(field);
  const { kind, expression } = column;
  switch (kind) {
    case 'time':
      return timeCondition(expression, match, context);
    case 'text': {
      if (match.type === 'range') return valueCondition(valueTest(match), columnsOf(field), parameters);
      const test = textTest(match);
      if (test.type === 'regex') return regexCondition(test.source, textColumn(field), parameters);
      return textCondition(test, textColumn(field), parameters);
    }
    case 'list':
      return listCondition(
        visibleStreamsSql(context.visibleStreams, parameters),
        valueTest(match),
        parameters,
      );
    default: {
      const test = valueTest(match);
      if (isId(field) && test.type === 'equals') return idCondition(test.text, parameters);
      return valueCondition(test, columnsOf(field), parameters);
    }
  }
}

function columnsOf(field: string): ValueColumns {
  const column = fieldColumn(field);
  if (column.kind === 'dynamic') return { ...dynamicValues(column), isIndexed: true, cost: COST.field };
  const cost = field === 'source' || column.kind === 'number' ? COST.ownColumn : COST.text;
  if (column.kind !== 'number') return { text: `nullIf(${column.expression}, '')`, isIndexed: false, cost };
  const float = field === 'level' ? column.expression : `nullIf(${column.expression}, 0)`;
  return { float, isIndexed: false, cost };
}

function timeCondition(expression: string, match: ValueMatch, context: SqlContext): Condition {
  const test = timeTest(match, context);
  if (matchesNothing(test) || test.from > test.to) return NEVER;
  const time = (value: number) => instantSql(value, context.parameters);
  const ends: Condition[] = [];
  if (Number.isFinite(test.from)) ends.push(sql(`${expression} >= ${time(test.from)}`, COST.ownColumn));
  if (Number.isFinite(test.to)) ends.push(sql(`${expression} <= ${time(test.to)}`, COST.ownColumn));
  return and(ends);
}

/** Compares the parts of an id with their columns, one of which has an index. */
function idCondition(text: string, parameters: SqlParameters): Condition {
  const parts = parseMessageId(text);
  if (parts === undefined) return NEVER;
  const receivedAt = instantSql(parts.receivedAt, parameters);
  return and([
    sql(`received_at = ${receivedAt}`, COST.ownColumn),
    sql(`id_partition = ${parameters.add(parts.partition, 'UInt64')}`, COST.ownColumn),
    sql(`id_offset = ${parameters.add(parts.offset, 'UInt64')}`, COST.ownColumn),
  ]);
}

function listCondition(expression: string, test: ValueTest, parameters: SqlParameters): Condition {
  if (test.type === 'equals') {
    return sql(`has(${expression}, ${parameters.add(test.text, 'String')})`, COST.ownColumn);
  }
  const columns = { text: 'toString(element)', isIndexed: false, cost: COST.ownColumn };
  const inner = valueCondition(test, columns, parameters);
  if (inner.type === 'constant') return inner;
  return sql(`arrayExists(element -> ${render(inner, parameters)}, ${expression})`, COST.ownColumn);
}

function bareCondition(match: ValueMatch, context: SqlContext): Condition {
  const { parameters } = context;
  if (match.type === 'range')
    return anyValueCondition(valueTest(match), ['texts', 'numbers'], context, parameters);
  const test = textTest(match);
  if (test.type === 'regex') return bareRegexCondition(test.source, context);
  const inTexts = textCondition(test, JOINED_TEXT, parameters);
  if (match.type !== 'term') return inTexts;
  const isNumber = parseNumber(match.text.trim()) !== undefined;
  const isBoolean = parseBoolean(foldCase(match.text)) !== undefined;
  if (!isNumber && !isBoolean) return inTexts;
  const kinds = [isNumber ? 'numbers' : 'booleans'] as const;
  const inFields = anyValueCondition(valueTest(match), kinds, context, parameters);
  const isNarrowed = inTexts.type === 'and' && inTexts.parts.some(({ type }) => type === 'words');
  return isNarrowed ? either(inTexts, inFields, parameters) : or([inTexts, inFields], parameters);
}

function bareRegexCondition(source: string, context: SqlContext): Condition {
  if (compileRegex(source) === undefined) return NEVER;
  return and([words(regexLiterals(source).words), anyTextCondition(source, context)]);
}

function anyTextCondition(source: string, context: SqlContext): Condition {
  const { parameters } = context;
  const scope = regexScope(source);
  switch (scope.type) {
    case 'joined':
      return sql(`match(text, ${parameters.add(engineRegex(scope.source), 'String')})`, COST.text);
    case 'pieces': {
      const pattern = parameters.add(engineRegex(source), 'String');
      return sql(
        `arrayExists(piece -> match(piece, ${pattern}), splitByChar(${SQL_SEPARATOR}, text))`,
        COST.everything,
      );
    }
    case 'values':
      return anyValueCondition({ type: 'regex', source }, ['texts'], context, parameters);
  }
}
