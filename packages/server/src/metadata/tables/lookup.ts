import type { JsonText } from '../columns.ts';

type Configuration = Readonly<Record<string, unknown>>;

export interface LookupPartsTable {
  id: string;
  name: string;
  title: string;
  description: string;
  type: string;
  configuration: JsonText<Configuration>;
  created_at: number;
  updated_at: number;
}

export interface LookupTablesTable {
  id: string;
  name: string;
  title: string;
  description: string;
  cache_id: string;
  adapter_id: string;
  default_single: JsonText<LookupDefault>;
  default_multi: JsonText<LookupDefault>;
  created_at: number;
  updated_at: number;
}

/** Values that rules put into lookup tables. */
export interface LookupEntriesTable {
  adapter_id: string;
  key: string;
  value: JsonText<LookupEntryValue>;
  /** Changes with every change, so that a change of what was read is noticed. */
  revision: number;
  /** Null: it stays. */
  expires_at: number | null;
}

/** One value, or a list of texts. */
export type LookupEntryValue = string | number | boolean | readonly string[];

/** What a table answers for keys that it does not have, as people have written it. */
export interface LookupDefault {
  readonly type: 'STRING' | 'NUMBER' | 'BOOLEAN' | 'OBJECT' | 'NULL';
  readonly text: string;
}
