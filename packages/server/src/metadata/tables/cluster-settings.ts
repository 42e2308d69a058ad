import type { JsonText } from '../columns.ts';

export interface ClusterSettingsTable {
  key: string;
  value: JsonText<unknown>;
  updated_at: number;
}
