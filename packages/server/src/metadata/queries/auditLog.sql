-- auditLog.insert
insert into "audit_log" ("time", "actor", "actor_address", "action", "object_type", "object_id", "before", "after", "outcome")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- auditLog.listPage
select *
  from "audit_log"
  where "actor" = $1
  and "action" = $2
  and "object_type" = $3
  and "object_id" = $4
  and "outcome" = $5
  and "time" >= $6
  and "time" < $7
  and lower(coalesce("actor", '') || '
' || coalesce("actor_address", '') || '
' || coalesce("action", '') || '
' || coalesce("object_type", '') || '
' || coalesce("object_id", '') || '
' || coalesce("before", '') || '
' || coalesce("after", '')) like $8 escape '!'
  order by "time" desc, "sequence" desc
  limit $9 offset $10;
select count(*) as "total"
  from "audit_log"
  where "actor" = $1
  and "action" = $2
  and "object_type" = $3
  and "object_id" = $4
  and "outcome" = $5
  and "time" >= $6
  and "time" < $7
  and lower(coalesce("actor", '') || '
' || coalesce("actor_address", '') || '
' || coalesce("action", '') || '
' || coalesce("object_type", '') || '
' || coalesce("object_id", '') || '
' || coalesce("before", '') || '
' || coalesce("after", '')) like $8 escape '!';

-- auditLog.removeBefore
delete from "audit_log"
  where "time" < $1;
