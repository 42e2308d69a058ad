-- alertNotifications.insert
insert into "alert_notifications" ("id", "stream_id", "type", "wire_type", "title", "description", "configuration", "creator", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- alertNotifications.update
update "alert_notifications"
  set "id" = $1
  where "id" = $2
  returning *;
update "alert_notifications"
  set "id" = $1, "type" = $2, "wire_type" = $3, "title" = $4, "description" = $5, "configuration" = $6, "updated_at" = $7
  where "id" = $8
  returning *;

-- alertNotifications.remove
delete from "alert_notifications"
  where "id" = $1;

-- alertNotifications.find
select *
  from "alert_notifications"
  where "id" = $1
  order by "created_at", "id";

-- alertNotifications.findMany
select *
  from "alert_notifications"
  where "id" in ($1, $2)
  order by "created_at", "id";

-- alertNotifications.list
select *
  from "alert_notifications"
  order by "created_at", "id";

-- alertNotifications.listByStream
select *
  from "alert_notifications"
  where "stream_id" = $1
  order by "created_at", "id";
