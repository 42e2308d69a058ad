-- indices.rotate
insert into "index_version" ("name", "value")
  values ($1, $2)
  on conflict ("name") do update
  set "value" = index_version.value + 1
  returning "value";
select max("number") as "number"
  from "indices"
  where "index_set_id" = $1;
insert into "indices" ("index_set_id", "number", "version", "state", "created_at")
  values ($1, $2, $3, $4, $5);

-- indices.setState
update "indices"
  set "state" = $1
  where "index_set_id" = $2
  and "number" = $3;

-- indices.remove
delete from "indices"
  where "index_set_id" = $1
  and "number" = $2;

-- indices.list
select *
  from "indices"
  where "index_set_id" = $1
  order by "index_set_id", "number";
