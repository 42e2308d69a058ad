-- lookupCaches.insert
insert into "lookup_caches" ("id", "name", "title", "description", "type", "configuration", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- lookupCaches.update
update "lookup_caches"
  set "name" = $1, "title" = $2, "description" = $3, "type" = $4, "configuration" = $5, "updated_at" = $6
  where "id" = $7
  returning *;

-- lookupCaches.remove
delete from "lookup_tables"
  where "id" = $1;
delete from "lookup_caches"
  where "id" = $1;

-- lookupCaches.list
select *
  from "lookup_caches"
  order by "name";
