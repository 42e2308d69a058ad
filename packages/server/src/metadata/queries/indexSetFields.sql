-- indexSetFields.add
select "id"
  from "index_sets"
  where "id" in ($1);
insert into "index_set_fields" ("index_set_id", "name", "type")
  values ($1, $2, $3)
  on conflict do nothing;

-- indexSetFields.list
select *
  from "index_set_fields"
  where "index_set_id" in ($1)
  order by "index_set_id", "name", "type";

-- indexSetFields.count
select count(*) as "rows"
  from "index_set_fields";
