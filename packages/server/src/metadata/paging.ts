/** Which part of a list is wanted. Callers bound `limit`; the database does not. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** How many there are in all pages together. */
  readonly total: number;
}
