import type { JsonText } from '../columns.ts';

export type DesiredOutputState = 'running' | 'paused';

export interface OutputsTable {
  id: string;
  title: string;
  type: string;
  configuration: JsonText<Readonly<Record<string, unknown>>>;
  desired_state: DesiredOutputState;
  creator: string;
  content_pack: string | null;
  created_at: number;
}

export interface StreamOutputsTable {
  stream_id: string;
  output_id: string;
  created_at: number;
}
