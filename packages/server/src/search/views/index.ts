export type { StoredViewSearches } from './stored-view-searches.ts';
export { createStoredViewSearches } from './stored-view-searches.ts';
export type { ViewJobs } from './view-jobs.ts';
export { createViewJobs } from './view-jobs.ts';
export type { ViewSearches, ViewSearchesDeps } from './view-search.ts';
export { createViewSearches, viewExportInput } from './view-search.ts';
