-- savedSearches.insert
insert into "saved_searches" ("id", "title", "description", "content", "creator", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7);

-- savedSearches.update
update "saved_searches"
  set "title" = $1, "description" = $2, "content" = $3, "updated_at" = $4
  where "id" = $5
  returning *;

-- savedSearches.remove
delete from "saved_searches"
  where "id" = $1;

-- savedSearches.find
select *
  from "saved_searches"
  where "id" = $1;

-- savedSearches.list
select *
  from "saved_searches"
  order by "title";
