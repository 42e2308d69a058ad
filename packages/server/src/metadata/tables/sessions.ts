export interface SessionsTable {
  id_hash: string;
  /** Null for the root user, who has no row in `users`. */
  user_id: string | null;
  username: string;
  username_key: string;
  created_at: number;
  last_used_at: number;
  timeout_ms: number;
  client_address: string | null;
}
