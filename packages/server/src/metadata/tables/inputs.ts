import type { BooleanColumn, JsonText } from '../columns.ts';

export type DesiredInputState = 'running' | 'stopped';

export interface InputsTable {
  id: string;
  title: string;
  type: string;
  global: BooleanColumn;
  node_id: string | null;
  configuration: JsonText<Readonly<Record<string, unknown>>>;
  desired_state: DesiredInputState;
  creator: string;
  content_pack: string | null;
  created_at: number;
}

export interface InputStaticFieldsTable {
  input_id: string;
  name: string;
  value: string;
}
