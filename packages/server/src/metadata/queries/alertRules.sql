-- alertRules.insert
insert into "alert_rules" ("id", "stream_id", "title", "description", "enabled", "content", "creator", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);
insert into "alert_rule_states" ("rule_id", "evaluated_until", "attempted_at", "failures", "last_error", "muted_until")
  values ($1, $2, $3, $4, $5, $6);
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- alertRules.update
update "alert_rules"
  set "id" = $1
  where "id" = $2
  returning *;
update "alert_rules"
  set "id" = $1, "stream_id" = $2, "title" = $3, "description" = $4, "enabled" = $5, "content" = $6, "updated_at" = $7
  where "id" = $8
  returning *;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- alertRules.remove
delete from "alert_rules"
  where "id" = $1;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- alertRules.find
select *
  from "alert_rules"
  where "id" = $1;

-- alertRules.list
select *
  from "alert_rules"
  order by "created_at", "id";

-- alertRules.listByStream
select *
  from "alert_rules"
  where "stream_id" = $1
  order by "created_at", "id";

-- alertRules.revision
select "value"
  from "cluster_settings"
  where "key" = $1;

-- alertRules.states
select *
  from "alert_rule_states"
  where "rule_id" = $1
  order by "rule_id";

-- alertRules.advance
update "alert_rule_states"
  set "evaluated_until" = $1, "attempted_at" = $2, "failures" = $3, "last_error" = $4
  where "rule_id" = $5
  and "evaluated_until" = $6;

-- alertRules.failed
update "alert_rule_states"
  set "failures" = "failures" + $1, "last_error" = $2, "attempted_at" = $3
  where "rule_id" = $4
  returning "failures";

-- alertRules.mute
update "alert_rule_states"
  set "muted_until" = $1
  where "rule_id" = $2;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;

-- alertRules.restart
update "alert_rule_states"
  set "evaluated_until" = $1, "attempted_at" = $2, "failures" = $3, "last_error" = $4
  where "rule_id" = $5
  and "evaluated_until" = $6;
insert into "cluster_settings" ("key", "value", "updated_at")
  values ($1, $2, $3)
  on conflict ("key") do update
  set "value" = $4, "updated_at" = $5;
