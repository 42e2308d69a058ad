-- outputs.insert
insert into "outputs" ("id", "title", "type", "configuration", "desired_state", "creator", "content_pack", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- outputs.update
update "outputs"
  set "id" = $1, "title" = $2, "configuration" = $3
  where "id" = $4
  returning *;

-- outputs.setDesiredState
update "outputs"
  set "desired_state" = $1
  where "id" = $2
  and "desired_state" != $3;

-- outputs.remove
delete from "outputs"
  where "id" = $1;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- outputs.find
select *
  from "outputs"
  where "id" = $1;

-- outputs.list
select *
  from "outputs"
  order by "created_at", "id";
