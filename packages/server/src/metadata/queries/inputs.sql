-- inputs.insert
insert into "inputs" ("id", "title", "type", "global", "node_id", "configuration", "desired_state", "creator", "content_pack", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- inputs.update
update "inputs"
  set "id" = $1, "title" = $2, "type" = $3, "global" = $4, "node_id" = $5, "configuration" = $6
  where "id" = $7
  returning *;
select *
  from "input_static_fields"
  where "input_id" = $1
  order by "input_id", "name";

-- inputs.replaceConfiguration
update "inputs"
  set "configuration" = $1
  where "id" = $2
  and "configuration" = $3;

-- inputs.setDesiredState
update "inputs"
  set "desired_state" = $1
  where "id" = $2;

-- inputs.remove
delete from "inputs"
  where "id" = $1;

-- inputs.find
select *
  from "inputs"
  where "id" = $1;
select *
  from "input_static_fields"
  where "input_id" = $1
  order by "input_id", "name";

-- inputs.list
select *
  from "inputs"
  order by "created_at", "title", "id";
select *
  from "input_static_fields"
  order by "input_id", "name";

-- inputs.setStaticField
insert into "input_static_fields" ("input_id", "name", "value")
  values ($1, $2, $3)
  on conflict ("input_id", "name") do update
  set "value" = $4;

-- inputs.removeStaticField
delete from "input_static_fields"
  where "input_id" = $1
  and "name" = $2;
