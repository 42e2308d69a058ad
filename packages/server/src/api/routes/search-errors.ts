/** The errors of routes that search, in addition to those of every route. */
export const SEARCH_ERRORS = ['forbidden', 'search_failed'] as const;
