-- alerts.insert
insert into "alerts" ("id", "rule_id", "stream_id", "key_id", "event_key_id", "triggered_at", "resolved_at", "notified_at", "event_stored", "is_alert", "search_key", "content")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict do nothing;

-- alerts.resolve
update "alerts"
  set "resolved_at" = $1
  where "id" = $2
  and "resolved_at" is null;

-- alerts.resolveOfRule
update "alerts"
  set "resolved_at" = $1
  where "rule_id" = $2
  and "resolved_at" is null
  returning *;

-- alerts.forgetStream
update "alerts"
  set "stream_id" = $1
  where "stream_id" = $2;

-- alerts.notified
update "alerts"
  set "notified_at" = $1
  where "id" = $2;

-- alerts.find
select *
  from "alerts"
  where "id" = $1;

-- alerts.findMany
select *
  from "alerts"
  where "id" in ($1);

-- alerts.current
select *
  from "alerts"
  where "rule_id" in ($1)
  and "resolved_at" is null;
select *
  from "alerts"
  where "rule_id" in ($1)
  and "resolved_at" > $2
  order by "resolved_at" desc, "id" desc
  limit $3;

-- alerts.lastNotified
select "event_key_id", max("notified_at") as "last"
  from "alerts"
  where "rule_id" = $1
  and "event_key_id" in ($2, $3)
  and "notified_at" > $4
  group by "event_key_id";

-- alerts.lastTriggered
select "rule_id", max("triggered_at") as "last"
  from "alerts"
  where "rule_id" in ($1, $2)
  group by "rule_id";

-- alerts.page
select count(*) as "total"
  from "alerts"
  where "is_alert" = $1
  and "stream_id" in ($2)
  and "triggered_at" >= $3
  and "resolved_at" is not null
  and "rule_id" = $4
  and "search_key" like $5 escape '!';
select *
  from "alerts"
  where "is_alert" = $1
  and "stream_id" in ($2)
  and "triggered_at" >= $3
  and "resolved_at" is not null
  and "rule_id" = $4
  and "search_key" like $5 escape '!'
  order by "search_key" asc nulls first, "id" asc
  limit $6 offset $7;

-- alerts.withoutEvent
select *
  from "alerts"
  where "event_stored" = $1
  order by "id"
  limit $2;

-- alerts.eventStored
update "alerts"
  set "event_stored" = $1
  where "id" in ($2);

-- alerts.removeTriggeredBefore
delete from "alerts"
  where "triggered_at" < $1
  and "resolved_at" is not null
  and "event_stored" = $2;
