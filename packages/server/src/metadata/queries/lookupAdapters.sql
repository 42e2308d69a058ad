-- lookupAdapters.insert
insert into "lookup_adapters" ("id", "name", "title", "description", "type", "configuration", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- lookupAdapters.update
update "lookup_adapters"
  set "id" = $1
  where "id" = $2
  returning *;
update "lookup_adapters"
  set "id" = $1, "name" = $2, "title" = $3, "description" = $4, "type" = $5, "configuration" = $6, "updated_at" = $7
  where "id" = $8
  returning *;

-- lookupAdapters.remove
delete from "lookup_tables"
  where "id" = $1;
delete from "lookup_adapters"
  where "id" = $1;

-- lookupAdapters.list
select *
  from "lookup_adapters"
  order by "name";
