-- extractors.insert
insert into "extractors" ("id", "input_id", "title", "type", "cursor_strategy", "source_field", "target_field", "configuration", "converters", "condition_type", "condition_value", "position", "creator", "disabled_reason", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- extractors.update
update "extractors"
  set "id" = $1
  where "id" = $2
  returning *;
update "extractors"
  set "id" = $1, "title" = $2, "type" = $3, "cursor_strategy" = $4, "source_field" = $5, "target_field" = $6, "configuration" = $7, "converters" = $8, "condition_type" = $9, "condition_value" = $10, "position" = $11, "disabled_reason" = $12
  where "id" = $13
  returning *;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- extractors.setPositions
update "extractors"
  set "position" = $1
  where "id" = $2
  and "input_id" = $3;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- extractors.disable
update "extractors"
  set "disabled_reason" = $1
  where "id" = $2
  and "disabled_reason" is null;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- extractors.remove
delete from "extractors"
  where "id" = $1;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- extractors.find
select *
  from "extractors"
  where "id" = $1;

-- extractors.list
select *
  from "extractors"
  where "input_id" = $1
  order by "input_id", "position", "created_at", "id";
select *
  from "extractors"
  order by "input_id", "position", "created_at", "id";
