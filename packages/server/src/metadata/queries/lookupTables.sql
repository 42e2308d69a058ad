-- lookupTables.insert
insert into "lookup_tables" ("id", "name", "title", "description", "cache_id", "adapter_id", "default_single", "default_multi", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- lookupTables.update
update "lookup_tables"
  set "name" = $1, "title" = $2, "description" = $3, "cache_id" = $4, "adapter_id" = $5, "default_single" = $6, "default_multi" = $7, "updated_at" = $8
  where "id" = $9
  returning *;

-- lookupTables.remove
delete from "lookup_tables"
  where "id" = $1;

-- lookupTables.list
select *
  from "lookup_tables"
  order by "name";
