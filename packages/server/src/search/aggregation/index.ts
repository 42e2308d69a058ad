export type { Aggregations, AggregationsDeps, HistogramOptions } from './aggregations.ts';
export { createAggregations } from './aggregations.ts';
export { pivotCells } from './pivot.ts';
export { type PivotRequest, runPivot } from './run-pivot.ts';
export { renderCsvTable, renderTextTable } from './table-text.ts';
export type { Tables, TablesDeps } from './tables.ts';
export { aggregateRequestOf, createTables, messagesRequestOf } from './tables.ts';
export { isAscending } from './terms.ts';
export { type EntityTitles, entitiesOf } from './titles.ts';
