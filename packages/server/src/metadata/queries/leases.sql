-- leases.acquire
insert into "leases" ("name", "holder", "expires_at")
  values ($1, $2, (extract(epoch from clock_timestamp()) * 1000)::bigint + 5000)
  on conflict ("name") do update
  set "holder" = $3, "expires_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint + 5000
  where ("leases"."holder" = $4 or "leases"."expires_at" <= (extract(epoch from clock_timestamp()) * 1000)::bigint)
  returning "holder";
-- the same on SQLite:
insert into "leases" ("name", "holder", "expires_at")
  values (?, ?, ? + 5000)
  on conflict ("name") do update
  set "holder" = ?, "expires_at" = ? + 5000
  where ("leases"."holder" = ? or "leases"."expires_at" <= ?)
  returning "holder";

-- leases.release
delete from "leases"
  where "name" = $1
  and "holder" = $2;

-- leases.holder
select "holder"
  from "leases"
  where "name" = $1
  and "expires_at" > (extract(epoch from clock_timestamp()) * 1000)::bigint;
-- the same on SQLite:
select "holder"
  from "leases"
  where "name" = ?
  and "expires_at" > ?;
