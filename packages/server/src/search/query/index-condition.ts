/** `_index:name`: the index that a message is stored in. */
import { and, COST, type Condition, NEVER, sql } from './conditions.ts';
import type { ValueTest } from './meaning.ts';
import type { SqlParameters } from './sql-parameters.ts';
import { valueCondition } from './value-conditions.ts';

export const INDEX_FIELD = '_index';

/**
 * Stands for the prefix of the index set whose table is read. `MessageSource` replaces it with SQL. No quoted name
 * contains it: a backquote inside one has a backslash before it.
 */
export const INDEX_PREFIX = '<`index prefix`>';

const INDEX_NAME = /^(?<prefix>.+)_(?<number>0|[1-9]\d{0,9})$/;
const MAX_INDEX_NUMBER = 2 ** 32 - 1;

export function indexCondition(test: ValueTest, parameters: SqlParameters): Condition {
  if (test.type !== 'equals') {
    const name = `concat(${INDEX_PREFIX}, '_', toString(index_number))`;
    return valueCondition(test, { text: name, isIndexed: false, cost: COST.ownColumn }, parameters);
  }
  const { prefix, number } = INDEX_NAME.exec(test.text)?.groups ?? {};
  if (prefix === undefined || Number(number) > MAX_INDEX_NUMBER) return NEVER;
  // An index is a partition of its table: with its number, the engine reads no other.
  return and([
    sql(`${INDEX_PREFIX} = ${parameters.add(prefix, 'String')}`, COST.ownColumn),
    sql(`index_number = ${parameters.add(Number(number), 'UInt32')}`, COST.ownColumn),
  ]);
}
