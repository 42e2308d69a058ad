import type { BooleanColumn, JsonText } from '../columns.ts';

/** Searches skip `closed` indices. `reopened` ones were closed once; retention leaves them alone. */
export type IndexState = 'open' | 'closed' | 'reopened';

/** A strategy: its short id and its configuration. */
export interface StoredStrategy {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Lifetimes of Graylog's data tiering, as they were sent, and whether they apply instead of the strategies. */
export interface StoredDataTiering {
  readonly config: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly isUsed: boolean;
}

/** Types that people gave to fields, by their names. */
export type StoredFieldTypes = Readonly<
  Record<string, 'string' | 'string_fts' | 'long' | 'double' | 'boolean'>
>;

export interface IndexSetsTable {
  id: string;
  title: string;
  description: string | null;
  prefix: string;
  shards: number;
  replicas: number;
  rotation: JsonText<StoredStrategy>;
  retention: JsonText<StoredStrategy>;
  data_tiering: JsonText<StoredDataTiering> | null;
  field_types: JsonText<StoredFieldTypes> | null;
  writable: BooleanColumn;
  is_default: BooleanColumn;
  analyzer: string;
  max_segments: number;
  optimization_disabled: BooleanColumn;
  field_type_refresh_ms: number;
  deleting: BooleanColumn;
  created_at: number;
}

export interface IndicesTable {
  index_set_id: string;
  number: number;
  version: number;
  state: IndexState;
  created_at: number;
}

export interface IndexSetFieldsTable {
  index_set_id: string;
  name: string;
  type: string;
}

export interface StreamFieldsTable {
  index_set_id: string;
  stream_id: string;
  name: string;
  type: string;
}

/** From before there were fields by stream: the messages of these indices have yet to be read for them. */
export interface IndicesWithoutStreamFieldsTable {
  index_set_id: string;
  number: number;
}

export interface IndexVersionTable {
  name: string;
  value: number;
}
