-- notifications.publish
insert into "notifications" ("type", "key", "timestamp", "severity", "node_id", "details")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("type", "key") do nothing;
insert into "notifications" ("type", "key", "timestamp", "severity", "node_id", "details")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("type", "key") do nothing;
update "notifications"
  set "severity" = $1, "node_id" = $2, "details" = $3
  where "type" = $4
  and "key" = $5;

-- notifications.list
select *
  from "notifications"
  order by "timestamp" desc, "type", "key";

-- notifications.remove
delete from "notifications"
  where "type" = $1
  and "key" = $2;
delete from "notifications"
  where "type" = $1;
