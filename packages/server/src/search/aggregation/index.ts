export type { Aggregations, AggregationsDeps, HistogramOptions, SearchCaller } from './aggregations.ts';
export { builtQuery, createAggregations } from './aggregations.ts';
export { csvLine, tableBoxes, tableCsv } from './table-text.ts';
export type { Tables, TablesDeps } from './tables.ts';
export {
  aggregateRequestOf,
  createTables,
  searchInputOf,
  tableOf,
  typeReader,
  urlSearchOf,
} from './tables.ts';
export { isAscending } from './terms.ts';
export type { EntityTitles, RequestedField } from './titles.ts';
export { requestedField, titleReaders } from './titles.ts';
