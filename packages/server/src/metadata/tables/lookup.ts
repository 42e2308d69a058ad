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

/** What a table answers for keys that it does not have, as people have written it. */
export interface LookupDefault {
  readonly type: 'STRING' | 'NUMBER' | 'BOOLEAN' | 'OBJECT' | 'NULL';
  readonly text: string;
}
