-- streams.insert
insert into "streams" ("id", "title", "description", "creator", "matching_type", "remove_matches", "index_set_id", "state", "state_reason", "content_pack", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
insert into "stream_rules" ("type", "field", "value", "inverted", "description", "id", "stream_id", "position", "content_pack")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);
insert into "stream_outputs" ("stream_id", "output_id", "created_at")
  values ($1, $2, $3)
  on conflict ("stream_id", "output_id") do nothing;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.ensure
insert into "streams" ("id", "title", "description", "creator", "matching_type", "remove_matches", "index_set_id", "state", "state_reason", "content_pack", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("id") do nothing;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.update
update "streams"
  set "id" = $1, "title" = $2, "description" = $3, "matching_type" = $4, "remove_matches" = $5, "index_set_id" = $6
  where "id" = $7
  returning *;
select *
  from "stream_rules"
  where "stream_id" = $1
  order by "stream_id", "position", "id";
select "stream_id", "output_id"
  from "stream_outputs"
  where "stream_id" = $1
  order by "stream_id", "created_at", "output_id";
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.setState
update "streams"
  set "state" = $1, "state_reason" = $2
  where "id" = $3
  and "state" != $4
  and "state" = $5;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.remove
delete from "streams"
  where "id" = $1;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.find
select *
  from "streams"
  where "id" = $1;
select *
  from "stream_rules"
  where "stream_id" = $1
  order by "stream_id", "position", "id";
select "stream_id", "output_id"
  from "stream_outputs"
  where "stream_id" = $1
  order by "stream_id", "created_at", "output_id";

-- streams.list
select *
  from "streams"
  order by "created_at", "id";
select *
  from "stream_rules"
  order by "stream_id", "position", "id";
select "stream_id", "output_id"
  from "stream_outputs"
  order by "stream_id", "created_at", "output_id";

-- streams.listByIndexSet
select "id", "title"
  from "streams"
  where "index_set_id" = $1
  order by "id";

-- streams.insertRule
select max("position") as "position"
  from "stream_rules"
  where "stream_id" = $1;
insert into "stream_rules" ("type", "field", "value", "inverted", "description", "id", "stream_id", "position", "content_pack")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.updateRule
update "stream_rules"
  set "type" = $1, "field" = $2, "value" = $3, "inverted" = $4, "description" = $5
  where "id" = $6
  and "stream_id" = $7
  returning *;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.removeRule
delete from "stream_rules"
  where "id" = $1
  and "stream_id" = $2;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.replaceRules
update "streams"
  set "id" = $1
  where "id" = $2
  returning *;
select *
  from "stream_rules"
  where "stream_id" = $1
  order by "stream_id", "position", "id";
select "stream_id", "output_id"
  from "stream_outputs"
  where "stream_id" = $1
  order by "stream_id", "created_at", "output_id";
update "streams"
  set "matching_type" = $1
  where "id" = $2;
delete from "stream_rules"
  where "stream_id" = $1;
insert into "stream_rules" ("type", "field", "value", "inverted", "description", "id", "stream_id", "position", "content_pack")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.attachOutputs
insert into "stream_outputs" ("stream_id", "output_id", "created_at")
  values ($1, $2, $3)
  on conflict ("stream_id", "output_id") do nothing;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.detachOutput
delete from "stream_outputs"
  where "stream_id" = $1
  and "output_id" = $2;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- streams.revision
select "value"
  from "cluster_settings"
  where "key" = $1;
