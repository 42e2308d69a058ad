-- lookupAdapters.insert
insert into "lookup_adapters" ("id", "name", "title", "description", "type", "configuration", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- lookupAdapters.update
update "lookup_adapters"
  set "name" = $1, "title" = $2, "description" = $3, "type" = $4, "configuration" = $5, "updated_at" = $6
  where "id" = $7
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
