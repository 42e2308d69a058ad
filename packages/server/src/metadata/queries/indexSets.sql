-- indexSets.insert
insert into "index_version" ("name", "value")
  values ($1, $2)
  on conflict ("name") do update
  set "value" = index_version.value + 1
  returning "value";
select *
  from "index_sets"
  order by "created_at", "id";
insert into "index_sets" ("id", "title", "description", "shards", "replicas", "rotation", "retention", "data_tiering", "writable", "max_segments", "optimization_disabled", "field_type_refresh_ms", "prefix", "analyzer", "is_default", "field_types", "deleting", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18);
insert into "indices" ("index_set_id", "number", "version", "state", "created_at")
  values ($1, $2, $3, $4, $5);

-- indexSets.insertBuiltIn
select "id"
  from "index_sets"
  where "is_default" = $1
  limit $2;
insert into "index_sets" ("id", "title", "description", "shards", "replicas", "rotation", "retention", "data_tiering", "writable", "max_segments", "optimization_disabled", "field_type_refresh_ms", "prefix", "analyzer", "is_default", "field_types", "deleting", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
  on conflict do nothing;
insert into "index_version" ("name", "value")
  values ($1, $2)
  on conflict ("name") do update
  set "value" = index_version.value + 1
  returning "value";
insert into "indices" ("index_set_id", "number", "version", "state", "created_at")
  values ($1, $2, $3, $4, $5);

-- indexSets.update
update "index_sets"
  set "title" = $1, "description" = $2, "shards" = $3, "replicas" = $4, "rotation" = $5, "retention" = $6, "data_tiering" = $7, "writable" = $8, "max_segments" = $9, "optimization_disabled" = $10, "field_type_refresh_ms" = $11
  where "id" = $12
  returning *;

-- indexSets.changeFieldTypes
update "index_sets"
  set "id" = $1
  where "id" = $2
  returning *;
update "index_sets"
  set "field_types" = $1
  where "id" = $2;

-- indexSets.setDefault
update "index_sets"
  set "is_default" = $1
  where "id" = $2
  and "deleting" = $3
  and "writable" = $4;
update "index_sets"
  set "is_default" = $1
  where "id" != $2
  and "is_default" = $3;

-- indexSets.markDeleting
update "index_sets"
  set "deleting" = $1
  where "id" = $2
  and "is_default" = $3
  and "deleting" = $4;

-- indexSets.remove
delete from "index_sets"
  where "id" = $1
  and "is_default" = $2;

-- indexSets.find
select *
  from "index_sets"
  where "id" = $1;

-- indexSets.list
select *
  from "index_sets"
  order by "created_at", "id";
