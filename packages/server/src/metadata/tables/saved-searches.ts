import type { JsonText } from '../columns.ts';

export interface SavedSearchesTable {
  id: string;
  title: string;
  description: string | null;
  /** The user name. */
  creator: string;
  content: JsonText<Readonly<Record<string, unknown>>>;
  created_at: number;
  updated_at: number;
}

/** Time range and streams, as the API takes them. */
export interface SearchHistoryScope {
  readonly timerange?: Readonly<Record<string, unknown>> | undefined;
  readonly streams?: readonly string[] | undefined;
}

export interface SearchHistoryTable {
  /** The id of the user, including the root user, who is not stored. */
  owner: string;
  /** The same for stored users; null for the root user. Deleting a user deletes their history. */
  user_id: string | null;
  /** A hash of the query, which may be too long for an index. */
  query_key: string;
  query: string;
  /** Where it was used last; null if that is not known. */
  scope: JsonText<SearchHistoryScope> | null;
  used_at: number;
  uses: number;
}

export interface ViewSearchesTable {
  id: string;
  /** As in the search history. */
  owner: string;
  user_id: string | null;
  content: JsonText<Readonly<Record<string, unknown>>>;
  stored_at: number;
}
