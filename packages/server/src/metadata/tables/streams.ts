import type { BooleanColumn } from '../columns.ts';

export type StreamState = 'running' | 'paused' | 'disabled';
export type StreamMatchingType = 'AND' | 'OR';

export interface StreamsTable {
  id: string;
  title: string;
  description: string;
  creator: string;
  matching_type: StreamMatchingType;
  remove_matches: BooleanColumn;
  index_set_id: string;
  state: StreamState;
  state_reason: string | null;
  content_pack: string | null;
  created_at: number;
}

export interface StreamRulesTable {
  id: string;
  stream_id: string;
  position: number;
  type: number;
  field: string;
  value: string;
  inverted: BooleanColumn;
  description: string;
  content_pack: string | null;
}
