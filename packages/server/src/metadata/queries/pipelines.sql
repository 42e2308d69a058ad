-- pipelines.insert
insert into "pipelines" ("id", "title", "description", "source", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- pipelines.update
update "pipelines"
  set "title" = $1, "description" = $2, "source" = $3, "updated_at" = $4
  where "id" = $5
  returning *;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- pipelines.remove
delete from "pipelines"
  where "id" = $1;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- pipelines.find
select *
  from "pipelines"
  where "id" = $1;

-- pipelines.list
select *
  from "pipelines"
  order by "title";

-- pipelines.connections
select *
  from "pipeline_connections"
  order by "stream_id", "pipeline_id";

-- pipelines.connectStream
delete from "pipeline_connections"
  where "stream_id" = $1
  returning *;
insert into "pipeline_connections" ("stream_id", "pipeline_id")
  values ($1, $2);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- pipelines.connectPipeline
delete from "pipeline_connections"
  where "pipeline_id" = $1
  returning *;
insert into "pipeline_connections" ("stream_id", "pipeline_id")
  values ($1, $2);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;
