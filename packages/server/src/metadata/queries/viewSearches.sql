-- viewSearches.store
insert into "view_searches" ("id", "owner", "user_id", "content", "stored_at")
  values ($1, $2, $3, $4, $5)
  on conflict ("id") do update
  set "content" = $6, "stored_at" = $7
  where "view_searches"."owner" = $8
  returning "id";
delete from "view_searches"
  where "owner" = $1
  and "id" not in (select "id"
  from "view_searches"
  where "owner" = $2
  order by "stored_at" desc, "id"
  limit $3);

-- viewSearches.find
select "id", "content", "stored_at"
  from "view_searches"
  where "id" = $1
  and "owner" = $2;
