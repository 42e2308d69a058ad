import type { BooleanColumn, JsonText } from '../columns.ts';

export interface NodesTable {
  node_id: string;
  hostname: string;
  transport_address: string;
  version: string;
  started_at: number;
  last_seen: number;
  is_leader: BooleanColumn;
  details: JsonText<Readonly<Record<string, unknown>>>;
}
