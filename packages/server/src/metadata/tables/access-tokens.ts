export interface AccessTokensTable {
  id: string;
  /** Null for the root user, who has no row in `users`. */
  user_id: string | null;
  username: string;
  username_key: string;
  name: string;
  token_hash: string;
  created_at: number;
  last_access: number;
}
