export { createFieldLinkSettings, type FieldLinkSettings } from './field-links.ts';
export type { SavedSearches } from './saved-searches.ts';
export { createSavedSearches } from './saved-searches.ts';
export type { QueryHistory } from './search-history.ts';
export { createQueryHistory } from './search-history.ts';
