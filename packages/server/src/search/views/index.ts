export type { ViewSearches, ViewSearchesDeps } from './view-search.ts';
export { createViewSearches } from './view-search.ts';
