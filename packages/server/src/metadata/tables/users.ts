import type { BooleanColumn, JsonText } from '../columns.ts';

export type UserStatus = 'enabled' | 'disabled';

export interface UsersTable {
  id: string;
  username: string;
  username_key: string;
  /** Everything a search for users looks at, in one text without case. */
  search_key: string;
  email: string;
  full_name: string;
  first_name: string;
  last_name: string;
  password_hash: string;
  permissions: JsonText<readonly string[]>;
  preferences: JsonText<Readonly<Record<string, unknown>>>;
  timezone: string | null;
  session_timeout_ms: number;
  startpage: JsonText<Startpage> | null;
  status: UserStatus;
  service_account: BooleanColumn;
  created_at: number;
  last_activity: number | null;
  client_address: string | null;
}

/** The page a user sees first: a stream, a dashboard, … by its id. */
export interface Startpage {
  readonly type: string;
  readonly id: string;
}
