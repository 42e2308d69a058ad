-- lookupTables.insert
insert into "lookup_tables" ("id", "name", "title", "description", "cache_id", "adapter_id", "default_single", "default_multi", "created_at", "updated_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- lookupTables.update
update "lookup_tables"
  set "id" = $1
  where "id" = $2
  returning *;
update "lookup_tables"
  set "id" = $1, "name" = $2, "title" = $3, "description" = $4, "cache_id" = $5, "adapter_id" = $6, "default_single" = $7, "default_multi" = $8, "updated_at" = $9
  where "id" = $10
  returning *;

-- lookupTables.remove
delete from "lookup_tables"
  where "id" = $1;

-- lookupTables.list
select *
  from "lookup_tables"
  order by "name";
