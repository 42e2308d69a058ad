-- users.insert
insert into "users" ("id", "username", "username_key", "created_at", "last_activity", "client_address", "search_key", "email", "full_name", "first_name", "last_name", "password_hash", "permissions", "preferences", "timezone", "session_timeout_ms", "startpage", "status", "service_account")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19);
delete from "user_roles"
  where "user_id" = $1;
select "id", "name_key"
  from "roles"
  where "name_key" in ($1);
insert into "user_roles" ("user_id", "role_id")
  values ($1, $2);
select *
  from "users"
  where "id" = $1;
select "user_roles"."user_id", "roles"."name"
  from "user_roles"
  inner join "roles" on "roles"."id" = "user_roles"."role_id"
  where "user_roles"."user_id" in ($1)
  order by "roles"."name_key";

-- users.update
update "users"
  set "id" = $1
  where "id" = $2
  returning *;
update "users"
  set "search_key" = $1, "email" = $2, "full_name" = $3, "first_name" = $4, "last_name" = $5, "password_hash" = $6, "permissions" = $7, "preferences" = $8, "timezone" = $9, "session_timeout_ms" = $10, "startpage" = $11, "status" = $12, "service_account" = $13
  where "id" = $14;
delete from "user_roles"
  where "user_id" = $1;
select "id", "name_key"
  from "roles"
  where "name_key" in ($1);
insert into "user_roles" ("user_id", "role_id")
  values ($1, $2);
select *
  from "users"
  where "id" = $1;
select "user_roles"."user_id", "roles"."name"
  from "user_roles"
  inner join "roles" on "roles"."id" = "user_roles"."role_id"
  where "user_roles"."user_id" in ($1)
  order by "roles"."name_key";

-- users.replacePasswordHash
update "users"
  set "password_hash" = $1
  where "id" = $2
  and "password_hash" = $3;

-- users.remove
delete from "users"
  where "id" = $1;

-- users.findById
select *
  from "users"
  where "id" = $1;
select "user_roles"."user_id", "roles"."name"
  from "user_roles"
  inner join "roles" on "roles"."id" = "user_roles"."role_id"
  where "user_roles"."user_id" in ($1)
  order by "roles"."name_key";

-- users.findByUsername
select *
  from "users"
  where "username_key" = $1;
select "user_roles"."user_id", "roles"."name"
  from "user_roles"
  inner join "roles" on "roles"."id" = "user_roles"."role_id"
  where "user_roles"."user_id" in ($1)
  order by "roles"."name_key";

-- users.list
select *
  from "users"
  order by "username_key";
select "user_roles"."user_id", "roles"."name"
  from "user_roles"
  inner join "roles" on "roles"."id" = "user_roles"."role_id"
  where "user_roles"."user_id" in ($1)
  order by "roles"."name_key";

-- users.listPage
select *
  from "users"
  where "search_key" like $1 escape '!'
  order by "username_key" asc nulls last, "username_key"
  limit $2 offset $3;
select count(*) as "total"
  from "users"
  where "search_key" like $1 escape '!';
select "user_roles"."user_id", "roles"."name"
  from "user_roles"
  inner join "roles" on "roles"."id" = "user_roles"."role_id"
  where "user_roles"."user_id" in ($1)
  order by "roles"."name_key";

-- users.touch
update "users"
  set "last_activity" = $1, "client_address" = $2
  where "id" = $3
  and ("last_activity" is null or "last_activity" < $4);
