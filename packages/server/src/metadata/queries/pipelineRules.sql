-- pipelineRules.insert
insert into "pipeline_rules" ("id", "title", "description", "source", "disabled_reason", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- pipelineRules.update
update "pipeline_rules"
  set "id" = $1, "title" = $2, "description" = $3, "source" = $4, "disabled_reason" = $5, "updated_at" = $6
  where "id" = $7
  returning *;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- pipelineRules.disable
update "pipeline_rules"
  set "disabled_reason" = $1
  where "id" = $2
  and "disabled_reason" is null;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- pipelineRules.remove
delete from "pipeline_rules"
  where "id" = $1;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- pipelineRules.find
select *
  from "pipeline_rules"
  where "id" = $1;

-- pipelineRules.list
select *
  from "pipeline_rules"
  order by "title";
