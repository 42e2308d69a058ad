-- streamFields.add
select "id"
  from "index_sets"
  where "id" in ($1);
select "id"
  from "streams"
  where "id" in ($1);
insert into "stream_fields" ("index_set_id", "stream_id", "name", "type")
  values ($1, $2, $3, $4)
  on conflict do nothing;

-- streamFields.list
select *
  from "stream_fields"
  order by "index_set_id", "stream_id", "name", "type";

-- streamFields.count
select count(*) as "rows"
  from "stream_fields";

-- streamFields.existingStreams
select "id"
  from "streams"
  where "id" in ($1);

-- streamFields.dueIndices
select *
  from "indices_without_stream_fields"
  order by "index_set_id", "number" desc;

-- streamFields.indexRead
delete from "indices_without_stream_fields"
  where "index_set_id" = $1
  and "number" = $2;
