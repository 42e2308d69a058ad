/** SQL for tests over any field: one condition per field, as long as there are not too many fields. */
import type { FieldPattern } from '@millrace/query';
import { fieldColumn } from '#storage/index.ts';
import { COST, type Condition, or, sql } from './conditions.ts';
import { fieldPathRegex } from './field-patterns.ts';
import type { ValueTest } from './meaning.ts';
import type { QueryContext } from './query-context.ts';
import type { SqlParameters } from './sql-parameters.ts';
import { dynamicValues, type TypedValues, type ValueColumns, valueCondition } from './value-conditions.ts';

export type ValueKind = 'texts' | 'numbers' | 'booleans';

/** With more fields of a type, the statement reads all values of a message at once: slower, but of bounded length. */
export const MAX_FIELDS = 40;

const CATALOGUE_TYPES = { texts: 'string', numbers: 'number', booleans: 'boolean' } as const;
const COLUMN_TYPES: Readonly<Record<ValueKind, readonly string[]>> = {
  texts: ['String'],
  numbers: ['Float64', 'Int64'],
  booleans: ['Bool'],
};

export function anyValueCondition(
  test: ValueTest,
  kinds: readonly ValueKind[],
  context: Pick<QueryContext, 'fields'>,
  parameters: SqlParameters,
): Condition {
  const parts: Condition[] = [];
  if (kinds.includes('texts')) {
    for (const column of ['message', 'full_message', 'source']) {
      const columns = { text: `nullIf(${column}, '')`, isIndexed: false, cost: COST.text };
      parts.push(valueCondition(test, columns, parameters));
    }
  }
  for (const kind of kinds) {
    const names = context.fields
      .filter(({ types }) => types.includes(CATALOGUE_TYPES[kind]))
      .map(({ name }) => name);
    parts.push(
      ...(names.length > MAX_FIELDS
        ? [allValuesCondition(test, kind, parameters)]
        : names.map((name) => fieldOfKind(test, kind, name, parameters))),
    );
  }
  return or(parts, parameters);
}

function fieldOfKind(test: ValueTest, kind: ValueKind, name: string, parameters: SqlParameters): Condition {
  const column = fieldColumn(name);
  // "Any field" does not include fields with their own column.
  if (column.kind !== 'dynamic') return or([], parameters);
  const values = dynamicValues(column);
  const columns: ValueColumns = {
    ...ofKind(kind, values),
    fromOneColumn: ofKind(kind, values.fromOneColumn),
    isIndexed: false,
    cost: COST.fields,
  };
  return valueCondition(test, columns, parameters);
}

function ofKind(kind: ValueKind, { text, float, integer, boolean }: Required<TypedValues>): TypedValues {
  if (kind === 'texts') return { text };
  return kind === 'numbers' ? { float, integer } : { boolean };
}

/** At least one field with such a name has a value, or one that passes the test. */
export function manyFieldsCondition(
  pattern: FieldPattern,
  test: ValueTest | undefined,
  parameters: SqlParameters,
): Condition {
  const isWanted = `match(path, ${parameters.add(fieldPathRegex(pattern), 'String')})`;
  if (test === undefined)
    return sql(`arrayExists(path -> ${isWanted}, JSONAllPaths(fields))`, COST.everything);
  const kinds = ['texts', 'numbers', 'booleans'] as const;
  return or(
    kinds.map((kind) => allValuesCondition(test, kind, parameters, isWanted)),
    parameters,
  );
}

/** @param isWanted SQL about the `path` of a value */
function allValuesCondition(
  test: ValueTest,
  kind: ValueKind,
  parameters: SqlParameters,
  isWanted?: string,
): Condition {
  const columns: Record<ValueKind, ValueColumns> = {
    texts: { text: 'value', isIndexed: false, cost: COST.everything },
    // A 64-bit integer must not be rounded to a float, nor be counted as both types.
    numbers: {
      float: "if(type = 'Float64', toFloat64OrNull(value), NULL)",
      integer: "if(type = 'Int64', toInt64OrNull(value), NULL)",
      isIndexed: false,
      cost: COST.everything,
    },
    booleans: { boolean: "(value = 'true')", isIndexed: false, cost: COST.everything },
  };
  const inner = valueCondition(test, columns[kind], parameters);
  if (inner.type !== 'sql') return inner;
  const types = COLUMN_TYPES[kind].map((type) => `'${type}'`).join(', ');
  const values = 'JSONAllValues(fields), mapValues(JSONAllPathsWithTypes(fields))';
  const isRight = `type IN (${types}) AND ${inner.sql}`;
  return sql(
    isWanted === undefined
      ? `arrayExists((value, type) -> ${isRight}, ${values})`
      : `arrayExists((value, type, path) -> ${isWanted} AND ${isRight}, ${values}, JSONAllPaths(fields))`,
    COST.everything,
  );
}
