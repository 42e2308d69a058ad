-- systemMessages.insert
insert into "system_messages" ("caller", "content", "timestamp", "node_id")
  values ($1, $2, $3, $4)
  returning "sequence";
delete from "system_messages"
  where "sequence" <= $1;

-- systemMessages.listPage
select "caller", "content", "timestamp", "node_id"
  from "system_messages"
  order by "sequence" desc
  limit $1 offset $2;
select count(*) as "total"
  from "system_messages";
