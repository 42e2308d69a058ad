/** The searches that are open in this tab of the browser, by number. */
export interface SearchTab {
  readonly id: number;
  /** Path, search and hash. */
  readonly href: string;
}

const KEY = 'millrace-search-tabs';
export const MAX_TABS = 9;

export function readTabs(): readonly SearchTab[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isTab).slice(0, MAX_TABS) : [];
  } catch {
    return [];
  }
}

export function storeTabs(tabs: readonly SearchTab[]): void {
  sessionStorage.setItem(KEY, JSON.stringify(tabs));
}

function isTab(value: unknown): value is SearchTab {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'href' in value &&
    Number.isInteger(value.id) &&
    typeof value.href === 'string' &&
    value.href.startsWith('/search')
  );
}

/** The list with this search in its tab, which is added if it is new. */
export function withTab(tabs: readonly SearchTab[], tab: SearchTab): readonly SearchTab[] {
  return tabs.some(({ id }) => id === tab.id)
    ? tabs.map((each) => (each.id === tab.id ? tab : each))
    : [...tabs, tab];
}

/** Where to go when a tab is closed: its right neighbour, else its left one. */
export function neighbourOf(tabs: readonly SearchTab[], id: number): SearchTab | undefined {
  const at = tabs.findIndex((tab) => tab.id === id);
  return tabs[at + 1] ?? tabs[at - 1];
}
