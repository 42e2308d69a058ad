/** What the search page asks for. */
// biome-ignore lint/suspicious/noEmptyInterface: the search page adds its calls here.
export interface SearchEndpoints {}
