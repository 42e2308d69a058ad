import type { BooleanColumn, JsonText } from '../columns.ts';

export interface RolesTable {
  id: string;
  name: string;
  name_key: string;
  description: string;
  permissions: JsonText<readonly string[]>;
  read_only: BooleanColumn;
  created_at: number;
}

export interface UserRolesTable {
  user_id: string;
  role_id: string;
}
