-- grokPatterns.seed
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do nothing;
insert into "grok_patterns" ("id", "name", "pattern", "content_pack", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("name") do nothing;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- grokPatterns.insert
insert into "grok_patterns" ("id", "name", "pattern", "content_pack", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- grokPatterns.update
update "grok_patterns"
  set "id" = $1
  where "id" = $2
  returning *;
update "grok_patterns"
  set "id" = $1, "name" = $2, "pattern" = $3, "updated_at" = $4
  where "id" = $5
  returning *;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- grokPatterns.remove
delete from "grok_patterns"
  where "id" = $1;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- grokPatterns.import
delete from "grok_patterns";
insert into "grok_patterns" ("id", "name", "pattern", "content_pack", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("name") do update
  set "pattern" = $7, "updated_at" = $8;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- grokPatterns.find
select *
  from "grok_patterns"
  where "id" = $1;

-- grokPatterns.list
select *
  from "grok_patterns"
  order by "name";
