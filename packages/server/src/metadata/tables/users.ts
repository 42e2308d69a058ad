import type { BooleanColumn, JsonText } from '../columns.ts';

export type UserStatus = 'enabled' | 'disabled';

export interface UsersTable {
  id: string;
  username: string;
  username_key: string;
  /** All text that user searches look at, in lower case. */
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

/** The user's start page: a stream, a dashboard, … by id. */
export interface Startpage {
  readonly type: string;
  readonly id: string;
}
