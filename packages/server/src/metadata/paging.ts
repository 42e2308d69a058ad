/** The requested part of a list. The caller must bound `limit`. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The number of items on all pages. */
  readonly total: number;
}
