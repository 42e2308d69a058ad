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

-- alertDeliveries.listDue
select "alert_deliveries".*, "kind", "rule_title", "alert_id", "stream_ids", "description", "content" is not null as "has_content"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where "state" = $1
  and "next_attempt_at" <= (extract(epoch from clock_timestamp()) * 1000)::bigint
  and not exists (select "earlier"."id"
  from "alert_deliveries" as "earlier"
  inner join "alert_notices" as "before" on "before"."id" = "earlier"."notice_id"
  where "before"."alert_id" = "alert_notices"."alert_id"
  and "earlier"."notification_id" = "alert_deliveries"."notification_id"
  and "earlier"."created_at" < "alert_deliveries"."created_at"
  and "earlier"."state" in ($2, $3))
  and "notification_id" not in ($4)
  order by "next_attempt_at", "alert_deliveries"."id"
  limit $5;
-- the same on SQLite:
select "alert_deliveries".*, "kind", "rule_title", "alert_id", "stream_ids", "description", "content" is not null as "has_content"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where "state" = ?
  and "next_attempt_at" <= ?
  and not exists (select "earlier"."id"
  from "alert_deliveries" as "earlier"
  inner join "alert_notices" as "before" on "before"."id" = "earlier"."notice_id"
  where "before"."alert_id" = "alert_notices"."alert_id"
  and "earlier"."notification_id" = "alert_deliveries"."notification_id"
  and "earlier"."created_at" < "alert_deliveries"."created_at"
  and "earlier"."state" in (?, ?))
  and "notification_id" not in (?)
  order by "next_attempt_at", "alert_deliveries"."id"
  limit ?;

-- alertDeliveries.claim
update "alert_deliveries"
  set "state" = $1, "attempts" = "attempts" + $2, "claimed_by" = $3, "claimed_until" = (extract(epoch from clock_timestamp()) * 1000)::bigint + 1000, "first_attempt_at" = coalesce("first_attempt_at", (extract(epoch from clock_timestamp()) * 1000)::bigint)
  where "id" = $4
  and "state" = $5
  returning "notice_id", "done_parts";
-- the same on SQLite:
update "alert_deliveries"
  set "state" = ?, "attempts" = "attempts" + ?, "claimed_by" = ?, "claimed_until" = ? + 1000, "first_attempt_at" = coalesce("first_attempt_at", ?)
  where "id" = ?
  and "state" = ?
  returning "notice_id", "done_parts";
insert into "alert_delivery_attempts" ("delivery_id", "started_at")
  values ($1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  returning "id";
-- the same on SQLite:
insert into "alert_delivery_attempts" ("delivery_id", "started_at")
  values (?, ?)
  returning "id";
select "alert_deliveries".*, "kind", "rule_title", "alert_id", "stream_ids", "description", "content" is not null as "has_content", "alert_notices"."content"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where "alert_deliveries"."id" = $1;

-- alertDeliveries.markDone
update "alert_deliveries"
  set "done_parts" = $1, "claimed_until" = (extract(epoch from clock_timestamp()) * 1000)::bigint + 1000
  where "id" = $2
  and "state" = $3
  and "attempts" = $4;
-- the same on SQLite:
update "alert_deliveries"
  set "done_parts" = ?, "claimed_until" = ? + 1000
  where "id" = ?
  and "state" = ?
  and "attempts" = ?;

-- alertDeliveries.finish
update "alert_deliveries"
  set "state" = $1, "attempts" = "attempts" + $2, "claimed_by" = $3, "claimed_until" = (extract(epoch from clock_timestamp()) * 1000)::bigint + 1000, "first_attempt_at" = coalesce("first_attempt_at", (extract(epoch from clock_timestamp()) * 1000)::bigint)
  where "id" = $4
  and "state" = $5
  returning "notice_id", "done_parts";
-- the same on SQLite:
update "alert_deliveries"
  set "state" = ?, "attempts" = "attempts" + ?, "claimed_by" = ?, "claimed_until" = ? + 1000, "first_attempt_at" = coalesce("first_attempt_at", ?)
  where "id" = ?
  and "state" = ?
  returning "notice_id", "done_parts";
insert into "alert_delivery_attempts" ("delivery_id", "started_at")
  values ($1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  returning "id";
-- the same on SQLite:
insert into "alert_delivery_attempts" ("delivery_id", "started_at")
  values (?, ?)
  returning "id";
select "alert_deliveries".*, "kind", "rule_title", "alert_id", "stream_ids", "description", "content" is not null as "has_content", "alert_notices"."content"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where "alert_deliveries"."id" = $1;
update "alert_delivery_attempts"
  set "finished_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint, "outcome" = $1, "error" = $2
  where "id" = $3;
-- the same on SQLite:
update "alert_delivery_attempts"
  set "finished_at" = ?, "outcome" = ?, "error" = ?
  where "id" = ?;
update "alert_deliveries"
  set "claimed_by" = $1, "claimed_until" = $2, "error" = $3, "state" = $4, "finished_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint
  where "id" = $5
  and "attempts" = $6
  and "state" in ($7)
  returning "notice_id", "notification_id", "state";
-- the same on SQLite:
update "alert_deliveries"
  set "claimed_by" = ?, "claimed_until" = ?, "error" = ?, "state" = ?, "finished_at" = ?
  where "id" = ?
  and "attempts" = ?
  and "state" in (?)
  returning "notice_id", "notification_id", "state";
update "alert_notices"
  set "content" = $1
  where "id" in ($2)
  and not exists (select "alert_deliveries"."id"
  from "alert_deliveries"
  where "notice_id" = "alert_notices"."id"
  and "state" in ($3, $4, $5));
select "notice_id"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where "notification_id" = $1
  and "state" = $2
  and "content" is not null
  order by "finished_at" desc, "alert_deliveries"."id" desc
  limit $3 offset $4;

-- alertDeliveries.releaseClaims
update "alert_deliveries"
  set "state" = $1, "attempts" = "attempts" + $2, "claimed_by" = $3, "claimed_until" = (extract(epoch from clock_timestamp()) * 1000)::bigint + 1000, "first_attempt_at" = coalesce("first_attempt_at", (extract(epoch from clock_timestamp()) * 1000)::bigint)
  where "id" = $4
  and "state" = $5
  returning "notice_id", "done_parts";
-- the same on SQLite:
update "alert_deliveries"
  set "state" = ?, "attempts" = "attempts" + ?, "claimed_by" = ?, "claimed_until" = ? + 1000, "first_attempt_at" = coalesce("first_attempt_at", ?)
  where "id" = ?
  and "state" = ?
  returning "notice_id", "done_parts";
insert into "alert_delivery_attempts" ("delivery_id", "started_at")
  values ($1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  returning "id";
-- the same on SQLite:
insert into "alert_delivery_attempts" ("delivery_id", "started_at")
  values (?, ?)
  returning "id";
select "alert_deliveries".*, "kind", "rule_title", "alert_id", "stream_ids", "description", "content" is not null as "has_content", "alert_notices"."content"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where "alert_deliveries"."id" = $1;
update "alert_deliveries"
  set "state" = $1, "claimed_by" = $2, "claimed_until" = $3, "next_attempt_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint
  where "state" = $4
  and ("claimed_by" = $5 or "claimed_until" <= (extract(epoch from clock_timestamp()) * 1000)::bigint)
  returning "id";
-- the same on SQLite:
update "alert_deliveries"
  set "state" = ?, "claimed_by" = ?, "claimed_until" = ?, "next_attempt_at" = ?
  where "state" = ?
  and ("claimed_by" = ? or "claimed_until" <= ?)
  returning "id";
update "alert_delivery_attempts"
  set "outcome" = $1, "finished_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint
  where "outcome" is null
  and "delivery_id" in ($2);
-- the same on SQLite:
update "alert_delivery_attempts"
  set "outcome" = ?, "finished_at" = ?
  where "outcome" is null
  and "delivery_id" in (?);
update "alert_deliveries"
  set "state" = $1, "claimed_by" = $2, "claimed_until" = $3, "next_attempt_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint
  where "state" = $4
  and "claimed_until" <= (extract(epoch from clock_timestamp()) * 1000)::bigint
  returning "id";
-- the same on SQLite:
update "alert_deliveries"
  set "state" = ?, "claimed_by" = ?, "claimed_until" = ?, "next_attempt_at" = ?
  where "state" = ?
  and "claimed_until" <= ?
  returning "id";

-- alertDeliveries.sendAgain
update "alert_deliveries"
  set "state" = $1, "next_attempt_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint, "finished_at" = $2
  where "id" = $3
  and "state" = $4
  and exists (select "alert_notices"."id"
  from "alert_notices"
  where "alert_notices"."id" = "alert_deliveries"."notice_id"
  and "content" is not null);
-- the same on SQLite:
update "alert_deliveries"
  set "state" = ?, "next_attempt_at" = ?, "finished_at" = ?
  where "id" = ?
  and "state" = ?
  and exists (select "alert_notices"."id"
  from "alert_notices"
  where "alert_notices"."id" = "alert_deliveries"."notice_id"
  and "content" is not null);

-- alertDeliveries.end
update "alert_deliveries"
  set "state" = $1, "error" = $2, "finished_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint
  where "id" = $3
  and "state" = $4
  returning "notice_id";
-- the same on SQLite:
update "alert_deliveries"
  set "state" = ?, "error" = ?, "finished_at" = ?
  where "id" = ?
  and "state" = ?
  returning "notice_id";
update "alert_notices"
  set "content" = $1
  where "id" in ($2)
  and not exists (select "alert_deliveries"."id"
  from "alert_deliveries"
  where "notice_id" = "alert_notices"."id"
  and "state" in ($3, $4, $5));

-- alertDeliveries.cancel
update "alert_deliveries"
  set "state" = $1, "error" = $2, "finished_at" = (extract(epoch from clock_timestamp()) * 1000)::bigint
  where "state" = $3
  and "id" in ($4)
  and "rule_id" = $5
  and "notification_id" = $6
  returning "notice_id";
-- the same on SQLite:
update "alert_deliveries"
  set "state" = ?, "error" = ?, "finished_at" = ?
  where "state" = ?
  and "id" in (?)
  and "rule_id" = ?
  and "notification_id" = ?
  returning "notice_id";

-- alertDeliveries.countBegun
select count(*) as "total"
  from "alert_deliveries"
  where "first_attempt_at" > (extract(epoch from clock_timestamp()) * 1000)::bigint - 1000
  and "rule_id" = $1
  and "notification_id" = $2;
-- the same on SQLite:
select count(*) as "total"
  from "alert_deliveries"
  where "first_attempt_at" > ? - 1000
  and "rule_id" = ?
  and "notification_id" = ?;

-- alertDeliveries.listHeld
select "notification_id"
  from "alert_deliveries"
  where "state" = $1
  and "digest_id" is null
  group by "notification_id" having min("finished_at") <= (extract(epoch from clock_timestamp()) * 1000)::bigint - 1000;
-- the same on SQLite:
select "notification_id"
  from "alert_deliveries"
  where "state" = ?
  and "digest_id" is null
  group by "notification_id" having min("finished_at") <= ? - 1000;

-- alertDeliveries.held
select "alert_notices"."rule_id" as "id", max("alert_notices"."rule_title") as "title", count(*) as "count", min("finished_at") as "first", max("finished_at") as "last"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where "state" = $1
  and "digest_id" is null
  and "notification_id" = $2
  group by "alert_notices"."rule_id";

-- alertDeliveries.assignDigest
update "alert_deliveries"
  set "digest_id" = $1
  where "state" = $2
  and "digest_id" is null
  and "notification_id" = $3
  and "finished_at" <= $4;

-- alertDeliveries.hasUnfinished
select "id"
  from "alert_deliveries"
  where ("state" in ($1, $2) or ("state" = $3
  and "digest_id" is null))
  limit $4;

-- alertDeliveries.countOpen
select count(*) as "total"
  from "alert_deliveries"
  where "state" in ($1, $2);

-- alertDeliveries.list
select "alert_deliveries".*, "kind", "rule_title", "alert_id", "stream_ids", "description", "content" is not null as "has_content"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where ("state" in ($1)
  and "alert_deliveries"."id" in ($2)
  and "alert_deliveries"."rule_id" = $3
  and "notification_id" = $4
  and "alert_id" = $5)
  order by "alert_deliveries"."created_at" desc, "alert_deliveries"."id" desc
  limit $6 offset $7;
select count(*) as "total"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where ("state" in ($1)
  and "alert_deliveries"."id" in ($2)
  and "alert_deliveries"."rule_id" = $3
  and "notification_id" = $4
  and "alert_id" = $5);

-- alertDeliveries.find
select "alert_deliveries".*, "kind", "rule_title", "alert_id", "stream_ids", "description", "content" is not null as "has_content"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  where "alert_deliveries"."id" = $1;

-- alertDeliveries.listAttempts
select "alert_deliveries".*, "kind", "rule_title", "alert_id", "stream_ids", "description", "content" is not null as "has_content", "alert_delivery_attempts"."id" as "attempt_id", "alert_delivery_attempts"."started_at", "alert_delivery_attempts"."finished_at" as "attempt_finished_at", "alert_delivery_attempts"."outcome", "alert_delivery_attempts"."error" as "attempt_error"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  inner join "alert_delivery_attempts" on "delivery_id" = "alert_deliveries"."id"
  where "alert_id" = $1
  order by "alert_delivery_attempts"."id" desc
  limit $2 offset $3;
select count(*) as "total"
  from "alert_deliveries"
  inner join "alert_notices" on "alert_notices"."id" = "notice_id"
  inner join "alert_delivery_attempts" on "delivery_id" = "alert_deliveries"."id"
  where "alert_id" = $1;

-- alertDeliveries.removeOlderThan
delete from "alert_notices"
  where "created_at" < (extract(epoch from clock_timestamp()) * 1000)::bigint - 1000
  and not exists (select "alert_deliveries"."id"
  from "alert_deliveries"
  where "notice_id" = "alert_notices"."id"
  and "state" in ($1, $2));
-- the same on SQLite:
delete from "alert_notices"
  where "created_at" < ? - 1000
  and not exists (select "alert_deliveries"."id"
  from "alert_deliveries"
  where "notice_id" = "alert_notices"."id"
  and "state" in (?, ?));
