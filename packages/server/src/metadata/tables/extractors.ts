import type { JsonText } from '../columns.ts';

export type CursorStrategy = 'cut' | 'copy';
export type ExtractorConditionType = 'none' | 'string' | 'regex';

export interface StoredConverter {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface ExtractorsTable {
  id: string;
  input_id: string;
  title: string;
  type: string;
  cursor_strategy: CursorStrategy;
  source_field: string;
  target_field: string;
  configuration: JsonText<Readonly<Record<string, unknown>>>;
  converters: JsonText<readonly StoredConverter[]>;
  condition_type: ExtractorConditionType;
  condition_value: string;
  position: number;
  creator: string;
  disabled_reason: string | null;
  created_at: number;
}
