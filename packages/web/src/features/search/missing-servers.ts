/** ClickHouse servers that were away when a part of the search was answered. */
export interface MaybePartial {
  readonly missing_servers?: readonly string[] | undefined;
}

/** Those that any of the answers is without. */
export function missingServers(answers: readonly (MaybePartial | null | undefined)[]): string[] {
  return [...new Set(answers.flatMap((answer) => answer?.missing_servers ?? []))].sort();
}
