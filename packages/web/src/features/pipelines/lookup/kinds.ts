/** Tables, and what they are made of. */
export const KINDS = ['tables', 'adapters', 'caches'] as const;
export type Kind = (typeof KINDS)[number];
export type PartKind = Exclude<Kind, 'tables'>;

/** What a list of any kind shows. */
export interface LookupRow {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
}
