-- nodes.beat
insert into "nodes" ("node_id", "hostname", "transport_address", "version", "started_at", "last_seen", "is_leader", "details")
  values ($1, $2, $3, $4, $5, (extract(epoch from clock_timestamp()) * 1000)::bigint, $6, $7)
  on conflict ("node_id") do update
  set "hostname" = $8, "transport_address" = $9, "version" = $10, "started_at" = $11, "last_seen" = (extract(epoch from clock_timestamp()) * 1000)::bigint, "is_leader" = $12, "details" = $13;
-- the same on SQLite:
insert into "nodes" ("node_id", "hostname", "transport_address", "version", "started_at", "last_seen", "is_leader", "details")
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("node_id") do update
  set "hostname" = ?, "transport_address" = ?, "version" = ?, "started_at" = ?, "last_seen" = ?, "is_leader" = ?, "details" = ?;

-- nodes.listSeen
select *, (extract(epoch from clock_timestamp()) * 1000)::bigint - last_seen as "age"
  from "nodes"
  order by "node_id";
-- the same on SQLite:
select *, ? - last_seen as "age"
  from "nodes"
  order by "node_id";

-- nodes.removeUnseenFor
delete from "nodes"
  where "last_seen" < (extract(epoch from clock_timestamp()) * 1000)::bigint - 60000;
-- the same on SQLite:
delete from "nodes"
  where "last_seen" < ? - 60000;

-- nodes.upsert
insert into "nodes" ("node_id", "hostname", "transport_address", "version", "started_at", "last_seen", "is_leader", "details")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("node_id") do update
  set "hostname" = $9, "transport_address" = $10, "version" = $11, "started_at" = $12, "last_seen" = $13, "is_leader" = $14, "details" = $15;

-- nodes.find
select *
  from "nodes"
  where "node_id" = $1;

-- nodes.list
select *
  from "nodes"
  where "last_seen" >= $1
  order by "node_id";

-- nodes.remove
delete from "nodes"
  where "node_id" = $1;

-- nodes.removeSeenBefore
delete from "nodes"
  where "last_seen" < $1;
