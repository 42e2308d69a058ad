-- sessions.insert
update "users"
  set "id" = $1
  where "id" = $2
  and "password_hash" = $3
  and "status" = $4
  returning "id";
insert into "sessions" ("id_hash", "user_id", "username", "username_key", "created_at", "last_used_at", "timeout_ms", "client_address")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- sessions.find
select *
  from "sessions"
  where "last_used_at" + "timeout_ms" > $1
  and "id_hash" = $2;

-- sessions.listByUsername
select *
  from "sessions"
  where "last_used_at" + "timeout_ms" > $1
  and "username_key" = $2
  order by "last_used_at" desc, "id_hash";

-- sessions.listLatest
select *
  from (select *, row_number() over(partition by "username_key"
  order by "last_used_at" desc, "id_hash") as "place"
  from "sessions"
  where "last_used_at" + "timeout_ms" > $1) as "ranked"
  where "place" = $2
  order by "last_used_at" desc, "id_hash";

-- sessions.touch
update "sessions"
  set "last_used_at" = case when "last_used_at" < $1 then $2 else "last_used_at" end
  where "id_hash" = $3
  and "last_used_at" + "timeout_ms" > $4;

-- sessions.remove
delete from "sessions"
  where "id_hash" = $1;

-- sessions.removeByUsername
delete from "sessions"
  where "username_key" = $1
  and "id_hash" != $2;

-- sessions.changeTimeout
update "sessions"
  set "timeout_ms" = $1
  where "username_key" = $2
  and "last_used_at" + "timeout_ms" > $3;

-- sessions.removeExpired
delete from "sessions"
  where "last_used_at" + "timeout_ms" <= $1;
