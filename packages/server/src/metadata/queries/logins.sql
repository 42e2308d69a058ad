-- logins.findSession
select "sessions"."username", "sessions"."last_used_at", "sessions"."timeout_ms", "users"."id" as "user_id", "users"."username" as "user_name", "users"."password_hash", "users"."status", "users"."session_timeout_ms", "users"."permissions", "roles"."permissions" as "role_permissions"
  from "sessions"
  left join "users" on "users"."id" = "sessions"."user_id"
  left join "user_roles" on "user_roles"."user_id" = "users"."id"
  left join "roles" on "roles"."id" = "user_roles"."role_id"
  where "sessions"."id_hash" = $1
  order by "roles"."id";

-- logins.findToken
select "access_tokens"."id", "access_tokens"."username", "access_tokens"."last_access", "users"."id" as "user_id", "users"."username" as "user_name", "users"."password_hash", "users"."status", "users"."session_timeout_ms", "users"."permissions", "roles"."permissions" as "role_permissions"
  from "access_tokens"
  left join "users" on "users"."id" = "access_tokens"."user_id"
  left join "user_roles" on "user_roles"."user_id" = "users"."id"
  left join "roles" on "roles"."id" = "user_roles"."role_id"
  where "access_tokens"."token_hash" = $1
  order by "roles"."id";

-- logins.findUser
select "users"."id" as "user_id", "users"."username" as "user_name", "users"."password_hash", "users"."status", "users"."session_timeout_ms", "users"."permissions", "roles"."permissions" as "role_permissions"
  from "users"
  left join "user_roles" on "user_roles"."user_id" = "users"."id"
  left join "roles" on "roles"."id" = "user_roles"."role_id"
  where "users"."username_key" = $1
  order by "roles"."id";
