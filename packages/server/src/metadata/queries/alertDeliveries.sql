-- alertDeliveries.enqueue
insert into "alert_notices" ("id", "kind", "rule_id", "rule_title", "alert_id", "stream_ids", "description", "content", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  on conflict ("id") do nothing
  returning "id";
-- the same on SQLite:
insert into "alert_notices" ("id", "kind", "rule_id", "rule_title", "alert_id", "stream_ids", "description", "content", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("id") do nothing
  returning "id";
insert into "alert_deliveries" ("id", "notice_id", "notification_id", "notification_type", "notification_title", "rule_id", "state", "attempts", "next_attempt_at", "done_parts", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, (extract(epoch from clock_timestamp()) * 1000)::bigint, $9, (extract(epoch from clock_timestamp()) * 1000)::bigint);
-- the same on SQLite:
insert into "alert_deliveries" ("id", "notice_id", "notification_id", "notification_type", "notification_title", "rule_id", "state", "attempts", "next_attempt_at", "done_parts", "created_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- alertDeliveries.countOpen
select count(*) as "total"
  from "alert_deliveries"
  where "state" in ($1, $2);
