/** What searching can add to the errors of a route, beside those that every route has. */
export const SEARCH_ERRORS = ['forbidden', 'search_failed'] as const;
