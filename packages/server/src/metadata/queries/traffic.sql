-- traffic.add
insert into "traffic" ("hour", "node_id", "input", "decoded", "output")
  values ($1, $2, $3, $4, $5)
  on conflict ("hour", "node_id") do update
  set "input" = "traffic"."input" + $6, "decoded" = "traffic"."decoded" + $7, "output" = "traffic"."output" + $8;

-- traffic.list
select "hour", sum("input") as "input", sum("decoded") as "decoded", sum("output") as "output"
  from "traffic"
  where "hour" >= $1
  and "hour" < $2
  group by "hour"
  order by "hour";

-- traffic.removeBefore
delete from "traffic"
  where "hour" < $1;
