-- searchHistory.record
insert into "search_history" ("owner", "user_id", "query_key", "query", "scope", "used_at", "uses")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("owner", "query_key") do update
  set "used_at" = $8, "scope" = $9, "uses" = "search_history"."uses" + $10;
delete from "search_history"
  where "owner" = $1
  and "query_key" not in (select "query_key"
  from "search_history"
  where "owner" = $2
  order by "used_at" desc, "query_key"
  limit $3);

-- searchHistory.list
select "query", "used_at", "uses", "scope"
  from "search_history"
  where "owner" = $1
  order by "used_at" desc, "query_key"
  limit $2;

-- searchHistory.remove
delete from "search_history"
  where "owner" = $1
  and "query_key" = $2;
delete from "search_history"
  where "owner" = $1;
