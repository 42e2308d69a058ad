export { INDEX_PREFIX } from './index-condition.ts';
export type { MessageTexts } from './message-texts.ts';
export { createMessageTexts } from './message-texts.ts';
export { compilePredicate, type MessagePredicate } from './predicate.ts';
export { type QueryConditions, queryCondition, queryConditions } from './query-condition.ts';
export type { PredicateContext, QueryContext } from './query-context.ts';
export { createSqlParameters, instantSql, type SqlParameters, visibleStreamsSql } from './sql-parameters.ts';
export { valueProblems } from './value-problems.ts';
export { ANY_CASE_WORD_CLASS, foldCase, wordsOf } from './words.ts';
